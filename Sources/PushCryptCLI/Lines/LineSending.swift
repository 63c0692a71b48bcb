#if APNs
internal import Foundation
internal import PushCryptAPNs

/// The work of `send`.
struct LineSending: LineWork {
    var hiddenMembers = ["payload", "headers", "line", "status", "apns-id", "error"]

    let client: APNsClient
    let headers: HeaderOptions

    func result(for line: LineMembers) async throws(PushCryptError) -> LineResult {
        if let refusal = line.earlierRefusal { return refusal }
        let payload = Array(line.json(try line.required("payload")))
        let token = try line.requiredText("token")
        let headers = try APNsHeaders(HeaderFields(headers).overriding(with: line))
        guard headers.topic != nil else {
            throw PushCryptError(.invalidHeader, "The topic is missing. Add '--topic' with the app's bundle ID.")
        }
        let push = APNsPush(payload: payload, headers: headers)
        do throws(APNsError) {
            let receipt = try await client.send(push, to: token)
            return .answer(answer(to: line, receipt))
        } catch {
            return .refusal(refusal(of: line, error))
        }
    }

    private func answer(to line: LineMembers, _ receipt: APNsReceipt) -> LineObject {
        var answer = line.kept(without: hiddenMembers)
        answer.append("status", 200)
        answer.append("apns-id", receipt.id.uuidString.lowercased())
        return answer
    }

    private func refusal(of line: LineMembers, _ error: APNsError) -> LineRefusal {
        var facts = LineObject()
        if let status = error.status { facts.append("status", status) }
        facts.append("apns-id", error.id.uuidString.lowercased())
        var details = LineObject()
        details.append("advice", error.advice.description)
        if let timestamp = error.timestamp { details.append("timestamp", timestamp.millisecondsSince1970) }
        if let delay = error.retryAfter { details.append("retry-after", Int(delay)) }
        let isRequestWrong = [.fixRequest, .deleteToken].contains(error.advice)
        // A key can be wrong for the topic of a line.
        let credentialsFail = error.advice == .checkCredentials && error.apnsReason != .unrelatedKeyIDInToken
        return LineRefusal(
            error: PushCryptError(error.code, error.reason), number: line.number,
            kept: line.kept(without: hiddenMembers), status: isRequestWrong ? .input : .failure,
            facts: facts, details: details,
            concernsAllLines: error.code == .noConnection || credentialsFail)
    }
}
#endif

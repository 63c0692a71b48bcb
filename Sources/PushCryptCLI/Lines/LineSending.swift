#if APNs
internal import Foundation
internal import PushCryptAPNs

/// The work of `send`.
struct LineSending: LineWork {
    /// The members that an answer doesn't repeat.
    var hidden = ["payload", "headers", "line", "status", "apns-id", "error"]

    let client: APNsClient
    let headers: HeaderOptions

    func answer(_ line: [UInt8]?, _ number: Int) async -> LineAnswer {
        var request: (push: APNsPush, token: String)?
        var answer = LineAnswer(to: line, number, hiding: hidden) {
            (line, document, answer) throws(PushCryptError) in
            guard !answer.repeats(line, document) else { return }
            let payload = Array(line[try document.required("payload", in: line).range])
            _ = try document.required("token", in: line)
            let headers = try headers.headers(of: line, document)
            guard headers.topic != nil else {
                throw PushCryptError(.invalidHeader, "The topic is missing. Add '--topic' with the app's bundle ID.")
            }
            request = (APNsPush(payload: payload, headers: headers), try document.text("token", in: line) ?? "")
            answer.bytes.append(UInt8(ascii: "{"))
            document.appendMembers(of: line, without: hidden, to: &answer.bytes)
        }
        guard let request else { return answer }
        answer.bytes.removeLast()  // The line break.
        do throws(APNsError) {
            let receipt = try await client.send(request.push, to: request.token)
            answer.bytes += #""status":200,"apns-id":"\#(receipt.id.uuidString.lowercased())"}"#.utf8
        } catch {
            let status = error.status.map { #""status":\#($0),"# } ?? ""
            let time = error.timestamp.map { #","timestamp":\#($0.millisecondsSince1970)"# } ?? ""
            let delay = error.retryAfter.map { #","retry-after":\#(Int($0))"# } ?? ""
            answer.refuse(
                number, PushCryptError(error.code, error.reason),
                [.fixRequest, .deleteToken].contains(error.advice) ? .input : .failure,
                before: #"\#(status)"apns-id":"\#(error.id.uuidString.lowercased())","#,
                after: #","advice":"\#(error.advice.name)"\#(time)\#(delay)"#)
            // A key can be wrong for the topic of a line.
            answer.isForAllLines =
                error.code.rawValue == "no-connection"
                || error.advice == .checkCredentials && error.apnsReason != "UnrelatedKeyIdInToken"
        }
        answer.bytes.append(UInt8(ascii: "\n"))
        return answer
    }
}
#endif

internal import Foundation
internal import PushCryptSender

/// The members of the answers of `send`.
struct AnswerFormat: Sendable {
    /// The members that `send` itself writes, and that no answer repeats.
    private static let own = ["line", "status", "apns-id", "may-arrive-twice", "error"]
    /// The members that only an unsent line keeps.
    private static let sealed = ["payload", "headers"]

    /// A Boolean value that indicates whether each answer has the number of its line, because they
    /// come in any order.
    var hasNumbers = false
    /// A Boolean value that indicates whether answers leave out the device token, because they may
    /// go into logs.
    var hidesToken = false

    /// Returns the answer to a line whose push APNs has accepted.
    func accepted(_ push: OpenPush, mayArriveTwice: Bool) -> LineAnswer {
        var answer = push.line.kept(without: hidden)
        // The number leads to the line of the first input, which an earlier output may have in
        // another place.
        if hasNumbers || push.reference != push.number { answer.append("line", push.reference) }
        answer.append("status", 200)
        answer.append("apns-id", push.id.uuidString.lowercased())
        if mayArriveTwice || push.mayBeAccepted {
            answer.append("may-arrive-twice", json: Array("true".utf8))
        }
        return LineAnswer(.accepted, answer)
    }

    /// Returns the answer to a line whose push failed.
    func failed(_ push: OpenPush, _ failure: PushFailure) -> LineAnswer {
        let kind: LineAnswer.Kind = failure.advice.isUnsent ? .unsent : .refused
        var answer = push.line.kept(without: kind == .unsent && !hidesToken ? Self.own : hidden)
        answer.append("line", push.reference)
        if let status = failure.status { answer.append("status", status) }
        answer.append("apns-id", push.id.uuidString.lowercased())
        var details = JSONObjectText()
        details.append("advice", failure.advice.rawValue)
        if let timestamp = failure.timestamp {
            details.append("timestamp", timestamp.millisecondsSince1970)
        }
        if let delay = failure.retryAfter { details.append("retry-after", Int(delay)) }
        if failure.mayBeAccepted || push.mayBeAccepted {
            details.append("may-be-accepted", json: Array("true".utf8))
        }
        answer.append("error", JSONObjectText(failure.error, details))
        return LineAnswer(kind, answer)
    }

    /// Returns the answer to a line without a valid push.
    func refused(_ line: LineMembers?, number: Int, _ error: PushCryptError) -> LineAnswer {
        let kept = line?.keptWithoutPrivateKeys(without: hidden) ?? JSONObjectText()
        var details = JSONObjectText()
        details.append("advice", PushFailure.Advice.fixRequest.rawValue)
        return LineAnswer(refusing: error, number: number, keeping: kept, details)
    }

    /// Returns the answer to a line that an earlier command has rejected: the line itself, but for
    /// its number.
    func repeated(_ line: LineMembers) -> LineAnswer? {
        guard let kept = line.earlierRefusal else { return nil }
        guard hasNumbers else { return LineAnswer(.refused, kept) }
        var answer = line.keptWithoutPrivateKeys(without: ["line"])
        answer.append("line", line.number)
        return LineAnswer(.refused, answer)
    }

    private var hidden: [String] { Self.own + Self.sealed + (hidesToken ? ["token"] : []) }
}

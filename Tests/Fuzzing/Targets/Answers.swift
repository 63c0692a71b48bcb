import Foundation

@testable import PushCryptAPNs
@testable import PushCryptCore

/// Invariants of the answers of APNs.
///
/// An input is a status, a line with `retry-after`, and the body.
///
/// - A reason is at most 64 letters and digits. An error's code is lowercase letters, digits and
///   hyphens.
/// - An error's text is one line, and has nothing of the body but the reason.
/// - The status decides the advice if the reason isn't a known one.
enum Answers {
    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let status = 100 + reader.short() % 500
        let retryAfter = String(decoding: reader.line(), as: UTF8.self)
        let answer = APNsAnswer(status: status, retryAfter: retryAfter, body: Array(reader.rest))
        let word = answer.reason?.rawValue ?? ""
        require(
            word.utf8.count <= 64 && word.utf8.allSatisfy(\.isLetterOrDigit),
            "a reason is letters and digits")
        require((0...Double(UInt32.max)).contains(answer.retryAfter ?? 0), "a delay is in range")
        if let timestamp = answer.timestamp {
            require((0..<1 << 48).contains(timestamp.millisecondsSince1970), "a time is in range")
        }
        let error = answer.error(UUID(uuidString: "5A2EC5A3-B420-8A33-8795-AFD7BF5219EB") ?? UUID())
        checkError(PushCryptError(error.code, error.reason))
        require(!contains(marker, Array(error.description.utf8)), "a description has no content")
        require(
            error.status == status && error.apnsReason == answer.reason,
            "an error has the answer's facts")
        let advices: [APNsError.Advice] = [.deleteToken, .retry, .checkCredentials, .fixRequest]
        require(advices.contains(error.advice), "an advice is known")
        if status == 410 {
            require(error.advice == .deleteToken, "a token with status 410 is deleted")
        }
        if status >= 500, answer.reason?.advice == nil {
            require(error.advice == .retry, "a busy APNs is asked again")
        }
    }
}

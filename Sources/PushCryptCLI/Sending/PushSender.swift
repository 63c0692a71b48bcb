internal import Foundation
internal import PushCryptSender

/// The client that sends the pushes of lines to a ``PushReceiver``; tests have their own.
protocol PushSender: Sendable {
    /// Starts to send the push of a line, whose number no other push has that is being sent.
    func submit(_ push: LinePush, number: Int)

    /// Ends all pushes without a result, which get one soon.
    func cancelAll()
}

/// A closure that gets the result of each push once, on any thread, and that mustn't wait.
typealias PushReceiver = @Sendable ([NumberedResult]) -> Void

/// The result of the push of a line.
struct NumberedResult: Sendable {
    /// The number of the line.
    let number: Int
    let result: PushResult
}

/// A push of a line.
struct LinePush: Sendable {
    let payload: [UInt8]
    /// The headers, with an `apns-id`.
    let headers: APNsHeaders
    /// The device token.
    let token: String
}

/// The end of a push in the client.
enum PushResult: Sendable {
    /// APNs has accepted the push, perhaps twice because an answer was lost.
    case accepted(mayArriveTwice: Bool)
    case failed(PushFailure)
}

/// The reason why a push wasn't accepted.
struct PushFailure: Sendable {
    /// The next step of the user, in the words of the client.
    enum Advice: String {
        case deleteToken = "delete the token"
        case retry
        case checkCredentials = "check the credentials"
        case fixRequest = "fix the request"

        /// A Boolean value that indicates whether the push is to be sent again.
        var isUnsent: Bool { self == .retry || self == .checkCredentials }
    }

    let error: PushCryptError
    let advice: Advice
    /// The status of the answer; `nil` if there was none.
    var status: Int?
    /// The time at which the device token became invalid.
    var timestamp: Date?
    /// The seconds after which APNs accepts requests again.
    var retryAfter: TimeInterval?
    /// A Boolean value that indicates whether APNs may have accepted the push, because an answer
    /// was lost.
    var mayBeAccepted = false
    /// A Boolean value that indicates whether the server can't be reached.
    var isUnreachable = false
    /// A Boolean value that indicates whether no other push can succeed.
    var concernsAllPushes = false
}

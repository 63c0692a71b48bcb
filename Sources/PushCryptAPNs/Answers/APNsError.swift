#if APNs
public import PushCryptFoundation
public import PushCryptSender

/// A push that APNs rejected, or that got no answer.
///
/// Two errors are equal if their codes are equal. Errors contain neither content nor device tokens.
/// ``Advice`` has an example that handles them.
public struct APNsError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The kind of the failure.
    ///
    /// It is the ``Reason/code`` of Apple's reason, a code of the client such as `noAnswer`,
    /// `noConnection`, `unsealed` or `cancelled`, or one of `PushCryptError`.
    public let code: PushCryptError.Code
    /// The problem and its fix in one or two English sentences.
    public let reason: String
    /// The status of the answer, such as 410; `nil` if there was none.
    public package(set) var status: Int?
    /// Apple's reason; `nil` if the answer had none, or if there was no answer.
    public package(set) var apnsReason: Reason?
    /// The time at which APNs found that the device token isn't valid any more, with status 410.
    public package(set) var timestamp: Date?
    /// The seconds after which APNs accepts requests again.
    public package(set) var retryAfter: TimeInterval?
    /// The header `apns-id`, which all attempts had.
    public let id: UUID
    /// The next step of the server.
    public let advice: Advice
    /// A Boolean value that indicates whether APNs may have accepted the push, because an answer
    /// was lost.
    ///
    /// If it's `false`, no device gets the push.
    public package(set) var mayBeAccepted = false
    /// A Boolean value that indicates whether the last attempt failed because the server can't be
    /// reached.
    package var isUnreachable = false

    package init(_ code: PushCryptError.Code, _ reason: String, advice: Advice, id: UUID) {
        self.code = code
        self.reason = reason
        self.advice = advice
        self.id = id
    }

    /// Returns the same error for another push.
    func copy(for id: UUID, mayBeAccepted: Bool) -> APNsError {
        var error = APNsError(code, reason, advice: advice, id: id)
        error.status = status
        error.apnsReason = apnsReason
        error.retryAfter = retryAfter
        error.mayBeAccepted = mayBeAccepted
        return error
    }

    /// Returns `true` if two errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code, the status and the reason.
    public var description: String {
        let answer = status.map { " (\($0))" } ?? ""
        return "\(code)\(answer): \(reason)"
    }

    /// The description, for logs that print `localizedDescription`.
    public var errorDescription: String? { description }
}
#endif

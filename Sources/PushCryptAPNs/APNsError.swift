#if APNs
public import PushCryptFoundation
public import PushCryptSender

/// A push that APNs refused, or that got no answer.
///
/// Two errors are equal if their codes are equal. Errors contain neither content nor device tokens. `Docs/Sending.md` has
/// the code that handles them.
public struct APNsError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The next step of the server.
    public struct Advice: Sendable, Hashable {
        package let name: String

        /// Delete the device token, unless the app registered it again after ``APNsError/timestamp``.
        public static let deleteToken = Self(name: "delete the token")
        /// Send the push again later, after ``APNsError/retryAfter`` if that isn't `nil`, with the same ``APNsError/id``.
        public static let retry = Self(name: "retry")
        /// Correct the key, its IDs, the certificate or the clock: no push gets through.
        public static let checkCredentials = Self(name: "check the credentials")
        /// Correct the push or its device token: APNs will never accept this request.
        public static let fixRequest = Self(name: "fix the request")
    }

    /// The kind of the failure: Apple's reason as words with hyphens, such as `bad-device-token`.
    ///
    /// The client's own codes are `no-answer`, `no-connection`, `unsealed`, `cancelled` and those of `PushCryptError`.
    public let code: PushCryptError.Code
    /// The problem and its fix in one or two English sentences.
    public let reason: String
    /// The status of the answer, such as 410; `nil` if there was none.
    public package(set) var status: Int?
    /// Apple's reason, such as `Unregistered`.
    public package(set) var apnsReason: String?
    /// The time at which APNs found that the device token isn't valid any more, with status 410.
    public package(set) var timestamp: Date?
    /// The seconds after which APNs accepts requests again.
    public package(set) var retryAfter: TimeInterval?
    /// The header `apns-id`, which all attempts had.
    public let id: UUID
    /// The next step of the server.
    public let advice: Advice

    package init(_ code: PushCryptError.Code, _ reason: String, _ advice: Advice, _ id: UUID) {
        (self.code, self.reason, self.advice, self.id) = (code, reason, advice, id)
    }

    /// Returns whether two errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code, the status and the reason.
    public var description: String { "\(code)\(status.map { " (\($0))" } ?? ""): \(reason)" }

    /// The description, for logs that print `localizedDescription`.
    public var errorDescription: String? { description }
}
#endif

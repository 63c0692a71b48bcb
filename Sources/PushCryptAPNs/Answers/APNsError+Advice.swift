#if APNs
extension APNsError {
    /// The next step of the server.
    ///
    /// ```swift
    /// func handle(_ error: APNsError) {
    ///     switch error.advice {
    ///     case .deleteToken: print("Delete the token, if it isn't newer:", error.timestamp as Any)
    ///     case .retry: print("Send again after", error.retryAfter ?? 60, "seconds:", error.id)
    ///     case .checkCredentials: print("Stop, and alert the operator:", error.reason)
    ///     default: print("Log and correct:", error.reason)
    ///     }
    /// }
    /// ```
    public struct Advice: Sendable, Hashable, CustomStringConvertible {
        /// The advice in English, such as `delete the token`.
        public let description: String

        /// Delete the device token, unless the app registered it again after
        /// ``APNsError/timestamp``.
        public static let deleteToken = Self(description: "delete the token")
        /// Send the push again later, after ``APNsError/retryAfter`` if that isn't `nil`, with the
        /// same ``APNsError/id``.
        public static let retry = Self(description: "retry")
        /// Correct the key, its IDs, the certificate or the clock: no push gets through.
        public static let checkCredentials = Self(description: "check the credentials")
        /// Correct the push or its device token: APNs will never accept this request.
        public static let fixRequest = Self(description: "fix the request")
    }
}
#endif

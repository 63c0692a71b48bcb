extension PushCryptError {
    /// The kind of a failure: a short stable word for logs, metrics and `switch` statements.
    ///
    /// Every code that the libraries throw is a constant. A new code in a minor release doesn't
    /// break a `switch`:
    ///
    /// ```swift
    /// func isExpected(_ error: PushCryptError) -> Bool {
    ///     switch error.code {
    ///     case .deviceLocked, .timeExpired: true
    ///     default: false
    ///     }
    /// }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word in lower case with hyphens, such as `unknown-key`.
        public let rawValue: String

        /// Creates a code from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The word in lower case with hyphens.
        public var description: String { rawValue }
    }
}

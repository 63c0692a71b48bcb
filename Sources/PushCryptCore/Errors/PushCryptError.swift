public import PushCryptFoundation

/// An error with a code for programs and a reason for people.
///
/// Two errors are equal if their codes are equal. A release may change the wording of a reason, but
/// not the meaning of a code. Errors contain neither plaintext nor keys, so they are safe to log:
///
/// ```swift
/// func key(registeredAs text: String) -> RecipientPublicKey? {
///     do {
///         return try RecipientPublicKey(parsing: text)
///     } catch {
///         print(error.code, error.reason)
///         return nil
///     }
/// }
/// ```
public struct PushCryptError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The kind of the failure.
    public let code: Code

    /// The problem and its fix in one or two English sentences, without plaintext or keys.
    public let reason: String

    /// The generation that a server answers to the device; `nil` unless the server rejected a
    /// registration as `stale-generation`.
    ///
    /// ```swift
    /// func response(to error: PushCryptError) -> (status: Int, body: String) {
    ///     guard let generation = error.staleGeneration else { return (400, error.description) }
    ///     return (409, #"{"generation":\#(generation)}"#)
    /// }
    /// ```
    public private(set) var staleGeneration: UInt64?

    /// Creates the error of a server that rejects a registration, with the generation to answer.
    package init(staleGeneration generation: UInt64, _ reason: String) {
        self.init(.staleGeneration, reason)
        staleGeneration = generation
    }

    /// Creates an error, for your own stores, guards and policies.
    ///
    /// - Parameters:
    ///   - code: The kind of the failure.
    ///   - reason: The problem and its fix; it appears in logs, so include neither content nor
    ///     keys.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Returns a Boolean value that indicates whether two errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code and the reason, as in `unknown-key: No key has the id …`.
    public var description: String { "\(code): \(reason)" }

    /// The description, for logs that print `localizedDescription`.
    public var errorDescription: String? { description }
}

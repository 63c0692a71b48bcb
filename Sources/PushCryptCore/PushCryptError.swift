#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What went wrong, as a code that programs compare and a reason that people read.
///
/// Two errors are equal when their codes are: the wording of a reason may change in any release, a code never changes
/// its meaning. Neither ever contains plaintext or key material, so an error may be logged as it is.
public struct PushCryptError: Error, Sendable {
    /// Which kind of failure this is.
    public let code: Code

    /// What is wrong and what to do about it, in one or two English sentences, without plaintext or key material.
    public let reason: String

    /// Makes an error, for stores, guards and policies that a user of the library writes.
    ///
    /// - Parameters:
    ///   - code: which kind of failure this is.
    ///   - reason: what is wrong and what to do about it; it ends up in logs, so no content and no keys.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension PushCryptError: Hashable {
    /// Compares the codes alone.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }

    /// Hashes the code alone, to agree with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension PushCryptError: CustomStringConvertible {
    /// The code and the reason, as in `unknown-key: No key here has …`.
    public var description: String { "\(code): \(reason)" }
}

extension PushCryptError: LocalizedError {
    /// The same as the description, for logs that print `localizedDescription`.
    public var errorDescription: String? { description }
}

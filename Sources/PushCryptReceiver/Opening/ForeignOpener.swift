public import Foundation
public import PushCryptCore
public import PushCryptPayload

/// An opener of pushes that another library or an earlier release of your server has encrypted in
/// its own format.
///
/// The inbox gives it each push that isn't sealed. Everything after opening is as for a sealed
/// push: the content handler is called exactly once and in time, with the fallback if the opener
/// fails, and the app decides and customizes.
///
/// ```swift
/// struct ChatOpener: ForeignOpener {
///     let name = "chat"
///
///     func open(_ push: ForeignPush) async throws -> ForeignOriginal? {
///         guard let text = push["chat_data"]?.stringValue else { return nil }
///         return .message(try decrypt(text), isAuthenticated: true)
///     }
///
///     func decrypt(_ text: String) throws -> String { text }
/// }
/// ```
///
/// A push with `ENCRYPTED_DATA` is never given to it.
public protocol ForeignOpener: Sendable {
    /// The permanent name of the format: 1 to 24 lowercase letters, digits and hyphens.
    ///
    /// It's the account of the format's messages, so no ``PushAccount`` has it.
    var name: String { get }

    /// The date after which the format's pushes count as unsealed; `nil`, by default, for no end.
    var end: Date? { get }

    /// Returns the original of a push; `nil` if the push doesn't have this format.
    ///
    /// It may be slow: at the deadline the fallback is displayed, and the task is canceled.
    ///
    /// - Parameter push: The push as it was delivered.
    /// - Returns: The original.
    /// - Throws: Any error, whose type is logged. The fallback is displayed.
    func open(_ push: ForeignPush) async throws -> ForeignOriginal?
}

extension ForeignOpener {
    /// No end.
    public var end: Date? { nil }
}

/// A delivered push for a ``ForeignOpener``.
public struct ForeignPush: Sendable {
    /// The members of the push, including `aps`.
    public let members: [String: JSONValue]

    /// The identifier of the request, which is the push's collapse ID if it has one.
    public let identifier: String

    /// Returns a member; `nil` if it's missing.
    public subscript(_ name: String) -> JSONValue? { members[name] }
}

/// The original of a push in a foreign format.
public struct ForeignOriginal: Sendable {
    let payload: [UInt8]
    let withdrawal: Withdrawal?
    let isAuthenticated: Bool
    let id: String?
    let issuedAt: Date?
    let lifetime: TimeInterval

    /// Returns a message: a payload in Apple's form, such as
    /// `{"aps":{"alert":{"title":"Anna","body":"Hi"}}}`.
    ///
    /// - Parameters:
    ///   - payload: The payload in UTF-8: one JSON object of at most 64 KiB, without
    ///     `ENCRYPTED_DATA`.
    ///   - isAuthenticated: `true` if the format proves the author, as a shared secret or a
    ///     signature does.
    ///   - id: The message's own ID. Without it, the replay guard doesn't see the message.
    ///   - issuedAt: The time at which the message was sent; `nil` if the format doesn't have it.
    ///   - lifetime: The number of seconds for which the message is displayed, at most 30 days; 7
    ///     days by default.
    /// - Returns: The original.
    public static func message(
        _ payload: some UTF8Text, isAuthenticated: Bool, id: String? = nil, issuedAt: Date? = nil,
        lifetime: TimeInterval = 7 * 24 * 3600
    ) -> ForeignOriginal {
        ForeignOriginal(
            payload: payload.bytesForPushCrypt, withdrawal: nil, isAuthenticated: isAuthenticated,
            id: id,
            issuedAt: issuedAt, lifetime: lifetime)
    }

    /// Returns a withdrawal of earlier messages in the same format.
    ///
    /// - Parameters:
    ///   - withdrawal: The notifications to remove.
    ///   - isAuthenticated: `true` if the format proves the author. Otherwise it doesn't act.
    ///   - id: The message's own ID.
    ///   - issuedAt: The time at which the withdrawal was sent; `nil` if the format doesn't have
    ///     it.
    /// - Returns: The original.
    public static func withdrawal(
        _ withdrawal: Withdrawal, isAuthenticated: Bool, id: String? = nil, issuedAt: Date? = nil
    ) -> ForeignOriginal {
        ForeignOriginal(
            payload: Array("{}".utf8), withdrawal: withdrawal, isAuthenticated: isAuthenticated,
            id: id,
            issuedAt: issuedAt, lifetime: 7 * 24 * 3600)
    }
}

public import Foundation
public import PushCryptCore

/// An opened payload that has passed every check.
public struct OpenedPush: Sendable {
    /// The original payload as it was sealed: one JSON object in UTF-8.
    public let payload: [UInt8]

    /// The purpose of the message.
    public let kind: MessageKind

    /// The name of the account whose key opened the message; empty if the opener has one account without a name.
    public internal(set) var account = ""

    /// The ID of the device's key that opened the message.
    public let keyID: KeyID

    /// The ID of the key that signed the message; `nil` if the receiver opens messages from anyone.
    public let signer: KeyID?

    /// The message's own ID.
    public let messageID: MessageID

    /// The time at which the message was issued, by its sender's clock.
    public let issuedAt: Date

    /// The number of seconds for which the sender wants the message to be opened.
    public let lifetime: TimeInterval

    /// The reason why the replay guard failed, so that the message may be a repeated one; `nil` if it didn't fail.
    public internal(set) var replayGuardFailure: PushCryptError?

    /// A Boolean value that indicates whether the replay guard had recorded the message within the last hour, so that
    /// its text is displayed again.
    public internal(set) var isRepeated = false

    /// A Boolean value that indicates whether a replay guard has admitted the message.
    var isGuarded = false

    /// Returns the time at which the message's key was created; it reads the key store.
    var keyCreation: @Sendable () -> Date? = { nil }

    /// Returns a Boolean value that indicates whether the message is sealed to a key that was created since a date, by
    /// whole seconds.
    func isSealedToKey(createdSince date: Date) -> Bool {
        keyCreation().map { $0.secondsSince1970 >= date.secondsSince1970 } ?? false
    }

    /// The original payload as `Data`.
    public var data: Data { Data(payload) }
}

extension OpenedPush: CustomStringConvertible, Redacted {
    /// The IDs and the payload's length, without its content.
    public var description: String { "OpenedPush \(messageID), \(payload.count) bytes, sealed to \(keyID)" }
}

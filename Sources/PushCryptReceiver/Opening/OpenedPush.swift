public import Foundation
public import PushCryptCore

/// An opened payload that has passed every check.
public struct OpenedPush: Sendable {
    /// The original payload: one JSON object in UTF-8, as it was sealed or as a foreign opener has
    /// returned it.
    public let payload: [UInt8]

    /// The purpose of the message.
    public let kind: MessageKind

    /// The name of the account whose key opened the message, or of the foreign opener; empty if the
    /// app has one account without a name.
    public internal(set) var account = ""

    /// The ID of the device's key that opened the message; `nil` for a foreign opener.
    public let keyID: KeyID?

    /// The ID of the key that signed the message; `nil` if the receiver opens messages from anyone,
    /// or for a foreign opener.
    public let signer: KeyID?

    /// A Boolean value that indicates whether the author is authenticated: by an accepted
    /// signature, or as the foreign opener says.
    public internal(set) var isAuthenticated: Bool

    /// The message's own ID; a random one if a foreign opener doesn't know it.
    public let messageID: MessageID

    /// The time at which the message was issued, by its sender's clock.
    public let issuedAt: Date

    /// The number of seconds for which the sender wants the message to be opened.
    public let lifetime: TimeInterval

    /// The reason why the replay guard failed, so that the message may be a repeated one; `nil` if
    /// it didn't fail.
    public internal(set) var replayGuardFailure: PushCryptError?

    /// A Boolean value that indicates whether the replay guard had recorded the message within the
    /// last hour, so that its text is displayed again.
    public internal(set) var isRepeated = false

    /// A Boolean value that indicates whether a replay guard has admitted the message.
    var isGuarded = false

    /// The time after which the message is rejected for its age.
    ///
    /// It follows from the message's own lifetime, because a later release of the app may accept
    /// older messages.
    var end: Date {
        let age = Freshness.standard.maximumAge(lifetime: Freshness.milliseconds(lifetime))
        return issuedAt + Double(age) / 1000
    }

    /// The original payload as `Data`.
    public var data: Data { Data(payload) }
}

extension OpenedPush: CustomStringConvertible, Redacted {
    /// The IDs and the payload's length, without its content.
    public var description: String {
        let opener = keyID.map { "sealed to \($0)" } ?? "opened by \(account)"
        return "OpenedPush \(messageID), \(payload.count) bytes, \(opener)"
    }
}

public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A payload that was opened and passed every check.
public struct OpenedPush: Sendable {
    /// The original payload, byte for byte as it was sealed: one JSON object in UTF-8.
    public let payload: [UInt8]

    /// The id of the device's key that it was sealed to.
    public let keyID: KeyID

    /// The id of the key that has signed it; `nil` where the receiver opens anyone's messages.
    public let signer: KeyID?

    /// The message's own id.
    public let messageID: MessageID

    /// When it was issued, by its sender's clock.
    public let issuedAt: Date

    /// Why the replay guard could not be asked, so that this message may have been opened before; `nil` where it was asked,
    /// or there is none.
    public internal(set) var replayGuardFailure: PushCryptError?

    /// The original payload as `Data`.
    public var data: Data { Data(payload) }
}

extension OpenedPush: CustomStringConvertible, CustomReflectable {
    /// The ids and the payload's length, nothing of its content.
    public var description: String { "OpenedPush \(messageID), \(payload.count) bytes, sealed to \(keyID)" }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

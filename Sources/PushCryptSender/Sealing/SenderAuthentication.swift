internal import PushCryptCore

/// The authentication of the sender, which a receiver checks with its `SenderPolicy`.
public enum SenderAuthentication: Sendable {
    /// A signature by a key. The devices have its public key and can reject all other senders.
    case signed(by: SigningKey)
    /// No signature. Anyone with the public key of a device can send it such a message.
    case anonymous

    var signingKey: SigningKey? {
        if case .signed(let key) = self { key } else { nil }
    }
}

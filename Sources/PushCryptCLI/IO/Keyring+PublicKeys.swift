internal import PushCryptSender

extension Keyring where Key == SigningKey {
    /// The public keys in every state.
    var publicKeys: [VerificationKey] { keys.map(\.publicKey) }
}

public import PushCryptCore

/// Fixed keys for tests.
///
/// ```swift
/// let device = try TestKeys.device(.alice)
/// let push = try Sealer(.signed(by: TestKeys.sender())).seal(json: json, for: device.publicKey)
/// let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
/// ```
///
/// They are public and protect nothing. Each private key is the 32 ASCII bytes of its case.
public enum TestKeys {
    /// The devices.
    public enum Device: String, Sendable, CaseIterable {
        /// The device that most tests seal for.
        case alice = "pushcrypt test key device: alice"
        /// Another device.
        case bob = "pushcrypt test key device:   bob"
    }

    /// The senders.
    public enum Sender: String, Sendable, CaseIterable {
        /// The server that most tests trust.
        case acme = "pushcrypt test key sender:  acme"
        /// A server that no test trusts.
        case mallory = "pushcrypt test key sender: mallo"
    }

    /// Returns the private key of a device, the same in every process.
    ///
    /// - Throws: `PushCryptError` with `sodiumUnavailable`.
    public static func device(_ device: Device = .alice) throws(PushCryptError)
        -> RecipientPrivateKey
    {
        try RecipientPrivateKey(secret: secret(device.rawValue))
    }

    /// Returns the private key of a sender, the same in every process.
    ///
    /// - Throws: `PushCryptError` with `sodiumUnavailable`.
    public static func sender(_ sender: Sender = .acme) throws(PushCryptError) -> SigningKey {
        try SigningKey(secret: secret(sender.rawValue))
    }

    private static func secret(_ text: String) throws(PushCryptError) -> SecretBytes {
        let bytes = Array(text.utf8)
        return try SecretBytes(copying: bytes.span)
    }
}

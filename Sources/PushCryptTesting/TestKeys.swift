public import PushCryptCore

/// Fixed keys with names, for tests.
///
/// Everybody has them, so they protect nothing. Each private key is the 32 ASCII bytes that its case shows.
public enum TestKeys {
    /// Devices.
    public enum Device: String, Sendable, CaseIterable {
        /// The device that most tests seal for.
        case alice = "pushcrypt test key device: alice"
        /// Another device.
        case bob = "pushcrypt test key device:   bob"
    }

    /// Senders.
    public enum Sender: String, Sendable, CaseIterable {
        /// The server that most tests trust.
        case acme = "pushcrypt test key sender:  acme"
        /// A server that nobody should trust.
        case mallory = "pushcrypt test key sender: mallo"
    }

    /// The private key of a device.
    ///
    /// - Parameter device: which one.
    /// - Returns: the key, the same in every process.
    /// - Throws: `PushCryptError` with `sodiumUnavailable`.
    public static func device(_ device: Device = .alice) throws(PushCryptError) -> RecipientPrivateKey {
        try RecipientPrivateKey(secret: secret(device.rawValue), belongingTo: nil)
    }

    /// The private key of a sender.
    ///
    /// - Parameter sender: which one.
    /// - Returns: the key, the same in every process.
    /// - Throws: `PushCryptError` with `sodiumUnavailable`.
    public static func sender(_ sender: Sender = .acme) throws(PushCryptError) -> SigningKey {
        try SigningKey(secret: secret(sender.rawValue), belongingTo: nil)
    }

    private static func secret(_ text: String) throws(PushCryptError) -> SecretBytes {
        let bytes = Array(text.utf8)
        return try SecretBytes(count: bytes.count) { (secret) throws(PushCryptError) in
            for index in bytes.indices { secret[index] = bytes[index] }
        }
    }
}

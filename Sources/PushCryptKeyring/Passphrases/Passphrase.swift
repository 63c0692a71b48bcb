public import PushCryptCore

/// What a keyring file may be protected by, in guarded memory.
public struct Passphrase: Sendable {
    let bytes: SecretBytes

    /// Takes a passphrase, without the line break that ends a file of one line.
    ///
    /// - Parameter bytes: the passphrase in guarded memory, in whatever encoding; it is not normalized.
    /// - Throws: ``PushCryptError`` with `passphraseRequired` where it is empty.
    package init(_ bytes: SecretBytes) throws(PushCryptError) {
        let length = bytes.read { bytes in
            var end = bytes.count
            if end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
            if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            return end
        }
        guard length > 0 else {
            throw PushCryptError(.passphraseRequired, "The passphrase is empty. Give one with at least one character.")
        }
        self.bytes = try SecretBytes(count: length) { (own) throws(PushCryptError) in
            bytes.read { bytes in
                for index in 0..<length { own[index] = bytes[index] }
            }
        }
    }

    /// Whether both are the same, in a time that depends on their length alone.
    package func isEqual(to other: Passphrase) -> Bool { bytes.isEqual(to: other.bytes) }

    /// Takes a passphrase that is at hand as bytes.
    ///
    /// - Parameter bytes: the passphrase. The caller's copy is the caller's to wipe.
    /// - Throws: ``PushCryptError`` with `passphraseRequired` or `sodiumUnavailable`.
    public init(_ bytes: [UInt8]) throws(PushCryptError) {
        try self.init(
            SecretBytes(count: bytes.count) { (own) throws(PushCryptError) in
                for index in bytes.indices { own[index] = bytes[index] }
            })
    }
}

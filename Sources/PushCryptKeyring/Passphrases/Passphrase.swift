public import PushCryptCore

/// A passphrase in guarded memory, which protects a keyring file.
public struct Passphrase: Sendable {
    let bytes: SecretBytes

    /// Creates a passphrase without the line break at its end.
    package init(_ bytes: SecretBytes) throws(PushCryptError) {
        self.bytes = try bytes.withSpan { (bytes) throws(PushCryptError) in
            var end = bytes.count
            if end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
            if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            guard end > 0 else {
                throw PushCryptError(
                    .passphraseRequired, "The passphrase is empty. Enter at least one character.")
            }
            return try SecretBytes(copying: bytes.extracting(..<end))
        }
    }

    /// Creates a passphrase without the line break at its end.
    ///
    /// - Parameter bytes: The passphrase in any encoding; it isn't normalized. The caller wipes
    ///   this copy.
    /// - Throws: ``PushCryptError`` with `passphraseRequired` if it is empty, or
    ///   `sodiumUnavailable`.
    public init(_ bytes: [UInt8]) throws(PushCryptError) {
        try self.init(SecretBytes(copying: bytes.span))
    }

    /// Returns a Boolean value that indicates whether two passphrases are equal, in a time that
    /// depends on their length only.
    package func isEqual(to other: Passphrase) -> Bool { bytes.isEqual(to: other.bytes) }
}

public import PushCryptCore

extension Keyring {
    /// Parses a keyring from the bytes of its file, which a secret manager or an environment
    /// variable can hold.
    ///
    /// ```swift
    /// func loadKeyring() throws -> SigningKeyring {
    ///     let text = ProcessInfo.processInfo.environment["SERVER_KEYRING"] ?? ""
    ///     return try Keyring(parsing: text)
    /// }
    /// ```
    ///
    /// The keyring is in guarded memory, but your bytes aren't. Other processes can read the
    /// environment.
    ///
    /// - Parameters:
    ///   - text: The contents of a keyring file.
    ///   - passphrase: The passphrase of a protected keyring.
    /// - Throws: ``PushCryptError`` with `passphraseRequired` or `wrongPassphrase`, or the error of
    ///   an invalid keyring such as `malformedJWK` or `malformedKeyring`.
    public init(parsing text: some UTF8Text, passphrase: Passphrase? = nil) throws(PushCryptError) {
        let bytes = text.bytesForPushCrypt
        try self.init(parsing: SecretBytes(copying: bytes.span)) { () throws(PushCryptError) in
            if let passphrase { return passphrase }
            throw PushCryptError(
                .passphraseRequired,
                "The keyring is protected by a passphrase. Supply the passphrase.")
        }
    }
}

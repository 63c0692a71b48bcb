package import PushCryptCore

/// A keyring that a store reads and replaces as a whole.
package protocol StoredKeyring: Sendable {
    /// Parses the stored JSON, or throws the error of an invalid keyring.
    init(parsing bytes: Span<UInt8>) throws(PushCryptError)

    /// Returns the keyring as JSON **with its private keys** in guarded memory.
    func exportWithPrivateKeys() throws(PushCryptError) -> SecretBytes

    /// Returns a Boolean value that indicates whether two keyrings are equal, so that nothing has
    /// to be stored.
    func hasSameContents(as other: Self) -> Bool

    /// Throws `malformedKeyring` if the keyring must not replace a stored one.
    func validateReplacement(_ before: Self) throws(PushCryptError)
}

extension StoredKeyring {
    /// Returns the keyring as JSON, and the keyring that this JSON parses to, so that only valid
    /// JSON is stored.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `newerFormat`, or the error of
    ///   parsing.
    package func exportToStore() throws(PushCryptError) -> (stored: Self, contents: SecretBytes) {
        let contents = try exportWithPrivateKeys()
        let stored = try contents.withSpan { (bytes) throws(PushCryptError) in
            try Self(parsing: bytes)
        }
        return (stored, contents)
    }

    /// Parses the contents of a file, and calls a closure for the passphrase if they are protected.
    init(
        parsing contents: SecretBytes, passphrase: () throws(PushCryptError) -> Passphrase
    ) throws(PushCryptError) {
        let protected = try contents.withSpan { (bytes) throws(PushCryptError) in
            ProtectedKeyring.isProtected(bytes) ? try ProtectedKeyring(parsing: bytes) : nil
        }
        let text = try protected?.open(with: passphrase()) ?? contents
        self = try text.withSpan { (bytes) throws(PushCryptError) in try Self(parsing: bytes) }
    }
}

extension Keyring {
    /// Returns a Boolean value that indicates whether two keyrings are equal, so that nothing has
    /// to be stored.
    package func hasSameContents(as other: Keyring) -> Bool {
        generation == other.generation && hasSameKeys(as: other)
            && primary.created == other.primary.created
            && retired.map(\.retired) == other.retired.map(\.retired)
            && retired.map(\.unneeded) == other.retired.map(\.unneeded)
    }

    /// Checks that the keyring may replace a stored keyring: with other keys it needs a greater
    /// generation.
    ///
    /// - Throws: ``PushCryptError`` with `malformedKeyring`.
    package func validateReplacement(_ before: Keyring) throws(PushCryptError) {
        guard generation > before.generation || hasSameKeys(as: before) else {
            throw PushCryptError(
                .malformedKeyring,
                """
                Different keys need a greater generation than \(before.generation). Change the \
                stored keyring instead.
                """)
        }
    }

    private func hasSameKeys(as other: Keyring) -> Bool {
        keys.map(\.publicKey) == other.keys.map(\.publicKey) && pending.count == other.pending.count
    }
}

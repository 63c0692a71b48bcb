internal import PushCryptCore

/// A keyring that is encrypted with XChaCha20-Poly1305 under a key that Argon2id derives from a
/// passphrase.
package struct ProtectedKeyring {
    private let cost: Argon2id.Cost
    private let salt: [UInt8]
    private let nonce: [UInt8]
    private let sealed: [UInt8]
    /// The names of the members that this version doesn't know, so that it must not replace the
    /// file.
    let unknownMembers: [String]

    /// Returns a Boolean value that indicates whether the contents of a file are protected by a
    /// passphrase.
    package static func isProtected(_ bytes: Span<UInt8>) -> Bool {
        guard let document = try? JSONDocument(scanning: bytes) else { return false }
        return document.member("protection", in: bytes) != nil
    }

    /// Encrypts the JSON of a keyring.
    init(
        protecting text: SecretBytes, with passphrase: Passphrase, cost: Argon2id.Cost = .moderate
    ) throws(PushCryptError) {
        var random = [UInt8](
            repeating: 0, count: Argon2id.saltLength + XChaCha20Poly1305.nonceLength)
        try RandomBytes.fill(&random, random.indices)
        unknownMembers = []
        salt = Array(random.prefix(Argon2id.saltLength))
        nonce = Array(random.suffix(XChaCha20Poly1305.nonceLength))
        self.cost = cost
        let key = try Argon2id.key(of: passphrase.bytes, salt: salt, cost: cost)
        sealed = try XChaCha20Poly1305.seal(
            text, associated: Self.associated(cost, salt), nonce: nonce, key: key)
    }

    /// Parses the contents of a file without decrypting them.
    ///
    /// - Throws: ``PushCryptError`` with `malformedKeyring`.
    init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let document = try JSONDocument(scanningKeyring: bytes)
        let protection = try Self.protection(of: document, bytes)
        unknownMembers = Self.unknownMembers(document, bytes)
        let memory = try document.integer(
            "memory", of: protection, in: bytes, orThrow: .malformedKeyring)
        // On 32-bit platforms, a cost that overflows `Int` becomes −1 and is rejected below.
        cost = Argon2id.Cost(
            operations: try document.integer(
                "operations", of: protection, in: bytes, orThrow: .malformedKeyring),
            memory: Int(exactly: memory) ?? -1)
        guard cost.isAcceptable else {
            throw PushCryptError(
                .malformedKeyring,
                """
                The keyring's protection requires too much memory or time. Restore it from a \
                backup.
                """)
        }
        salt = try Self.bytes("salt", of: protection, document, in: bytes)
        nonce = try Self.bytes("nonce", of: protection, document, in: bytes)
        sealed = try Self.bytes("keyring", of: document.root, document, in: bytes)
        guard salt.count == Argon2id.saltLength, nonce.count == XChaCha20Poly1305.nonceLength,
            sealed.count > XChaCha20Poly1305.overhead
        else {
            throw PushCryptError(
                .malformedKeyring,
                "The keyring's protection has a wrong length. Restore the keyring from a backup.")
        }
    }

    /// Returns the object with the parameters of the protection, which must be this release's.
    private static func protection(
        of document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> JSONDocument.Value {
        guard let protection = document.member("protection", in: bytes), protection.kind == .object,
            try document.asciiString("kdf", of: protection, in: bytes, orThrow: .malformedKeyring)
                == "argon2id",
            try document.asciiString(
                "cipher", of: protection, in: bytes, orThrow: .malformedKeyring)
                == "xchacha20-poly1305"
        else {
            throw PushCryptError(
                .malformedKeyring,
                "This release does not support the protection of the keyring. Update it.")
        }
        return protection
    }

    private static func unknownMembers(_ document: JSONDocument, _ bytes: Span<UInt8>) -> [String] {
        func names(_ value: JSONDocument.Value?, besides known: Set<String>) -> [String] {
            document.children(of: value).map { document.name(of: $0, in: bytes) }.filter {
                !known.contains($0)
            }
        }
        let protection = document.member("protection", in: bytes)
        return names(document.root, besides: ["keyring", "protection"])
            + names(
                protection, besides: ["kdf", "operations", "memory", "salt", "cipher", "nonce"])
    }

    /// Returns the decrypted JSON.
    func open(with passphrase: Passphrase) throws(PushCryptError) -> SecretBytes {
        let key = try Argon2id.key(of: passphrase.bytes, salt: salt, cost: cost)
        return try XChaCha20Poly1305.open(
            sealed, associated: Self.associated(cost, salt), nonce: nonce, key: key)
    }

    /// The contents of the file.
    var contents: String {
        """
        {"protection":{"kdf":"argon2id","operations":\(cost.operations),"memory":\(cost.memory),\
        "salt":"\(Base64URL.encode(salt))","cipher":"xchacha20-poly1305",\
        "nonce":"\(Base64URL.encode(nonce))"},
        "keyring":"\(Base64URL.encode(sealed))"}

        """
    }

    /// Returns the authenticated parameters, so that an attacker can't weaken the protection of the
    /// next write.
    private static func associated(_ cost: Argon2id.Cost, _ salt: [UInt8]) -> [UInt8] {
        Array(
            """
            pushcrypt/v1/keyring argon2id \(cost.operations) \(cost.memory) \
            \(Base64URL.encode(salt))
            """
            .utf8)
    }

    private static func bytes(
        _ name: String, of object: JSONDocument.Value, _ document: JSONDocument,
        in bytes: Span<UInt8>
    ) throws(PushCryptError) -> [UInt8] {
        let text = Array(
            try document.asciiString(name, of: object, in: bytes, orThrow: .malformedKeyring).utf8)
        do throws(PushCryptError) {
            return try Base64URL.decode(text.span)
        } catch {
            throw PushCryptError(
                .malformedKeyring,
                "\"\(name)\" is not base64url. Restore the keyring from a backup.")
        }
    }
}

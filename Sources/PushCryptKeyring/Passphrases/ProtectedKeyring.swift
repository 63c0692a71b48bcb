package import PushCryptCore

/// A keyring's text under a passphrase: Argon2id makes a key of it, XChaCha20-Poly1305 seals the text with that.
///
/// It is a JSON object: `protection` has what is needed to make the key again, `keyring` the sealed text in base64url.
/// What `protection` says is authenticated with the text.
package struct ProtectedKeyring {
    private let cost: Argon2id.Cost
    private let salt: [UInt8]
    private let nonce: [UInt8]
    private let sealed: [UInt8]

    /// Whether the contents of a file are under a passphrase.
    package static func isProtected(_ bytes: Span<UInt8>) -> Bool {
        guard let document = try? JSONDocument(scanning: bytes) else { return false }
        return document.member("protection", in: bytes) != nil
    }

    /// Protects a keyring's text.
    ///
    /// - Parameters:
    ///   - text: the text, with private keys.
    ///   - passphrase: the passphrase.
    ///   - cost: how much work it is to try one.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    init(
        protecting text: SecretBytes, with passphrase: Passphrase, cost: Argon2id.Cost = .moderate
    ) throws(PushCryptError) {
        var random = [UInt8](repeating: 0, count: Argon2id.saltLength + XChaCha20Poly1305.nonceLength)
        try RandomBytes.fill(&random, random.indices)
        salt = Array(random.prefix(Argon2id.saltLength))
        nonce = Array(random.suffix(XChaCha20Poly1305.nonceLength))
        self.cost = cost
        let key = try Argon2id.key(of: passphrase.bytes, salt: salt, cost: cost)
        sealed = try XChaCha20Poly1305.seal(
            text, associated: Self.associated(cost, salt), nonce: nonce, key: key)
    }

    /// Reads a file's contents, and opens nothing yet.
    ///
    /// - Throws: ``PushCryptError`` with `malformedKeyring`.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let document = try JWK.scan(bytes)
        guard let protection = document.member("protection", in: bytes), protection.kind == .object,
            try Self.text("kdf", of: protection, document, bytes) == "argon2id",
            try Self.text("cipher", of: protection, document, bytes) == "xchacha20-poly1305"
        else {
            throw PushCryptError(
                .malformedKeyring, "The keyring is protected in a way that this release does not know. Update it.")
        }
        // Where numbers have 32 bits, more memory than there can be is no number.
        cost = Argon2id.Cost(
            operations: try Self.number("operations", of: protection, document, bytes),
            memory: Int(exactly: try Self.number("memory", of: protection, document, bytes)) ?? -1)
        guard cost.isBearable else {
            throw PushCryptError(
                .malformedKeyring, "The keyring's protection asks for more memory or time than is ever used.")
        }
        salt = try Self.bytes("salt", of: protection, document, bytes)
        nonce = try Self.bytes("nonce", of: protection, document, bytes)
        sealed = try Self.bytes("keyring", of: document.root, document, bytes)
        guard sealed.count > XChaCha20Poly1305.overhead else {
            throw PushCryptError(.malformedKeyring, "The protected keyring's \"keyring\" is cut short.")
        }
        guard salt.count == Argon2id.saltLength, nonce.count == XChaCha20Poly1305.nonceLength else {
            throw PushCryptError(.malformedKeyring, "The keyring's \"salt\" or \"nonce\" has a wrong length.")
        }
    }

    /// Opens the text.
    ///
    /// - Throws: ``PushCryptError`` with `wrongPassphrase` or `sodiumUnavailable`.
    func open(with passphrase: Passphrase) throws(PushCryptError) -> SecretBytes {
        let key = try Argon2id.key(of: passphrase.bytes, salt: salt, cost: cost)
        return try XChaCha20Poly1305.open(sealed, associated: Self.associated(cost, salt), nonce: nonce, key: key)
    }

    /// The file's contents.
    var contents: String {
        """
        {"protection":{"kdf":"argon2id","operations":\(cost.operations),"memory":\(cost.memory),\
        "salt":"\(Base64URL.encode(salt))","cipher":"xchacha20-poly1305","nonce":"\(Base64URL.encode(nonce))"},
        "keyring":"\(Base64URL.encode(sealed))"}

        """
    }

    /// What is authenticated with the text, so that nobody can make the next writer use a weaker protection.
    private static func associated(_ cost: Argon2id.Cost, _ salt: [UInt8]) -> [UInt8] {
        Array("pushcrypt/v1/keyring argon2id \(cost.operations) \(cost.memory) \(Base64URL.encode(salt))".utf8)
    }

    // MARK: Members

    private static func text(
        _ name: String, of object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> String {
        guard let text = document.string(document.member(name, of: object, in: bytes), in: bytes) else {
            throw missing(name)
        }
        return text
    }

    private static func number(
        _ name: String, of object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> UInt64 {
        guard let member = document.member(name, of: object, in: bytes), member.kind == .number else {
            throw missing(name)
        }
        guard let number = document.integer(member, in: bytes), number <= 1 << 40 else {
            throw PushCryptError(.malformedKeyring, "The protected keyring's \"\(name)\" is no fitting whole number.")
        }
        return number
    }

    private static func bytes(
        _ name: String, of object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> [UInt8] {
        let text = Array(try text(name, of: object, document, bytes).utf8)
        do throws(PushCryptError) {
            return try Base64URL.decode(text.span)
        } catch {
            throw PushCryptError(.malformedKeyring, "The protected keyring's \"\(name)\" is not base64url.")
        }
    }

    private static func missing(_ name: String) -> PushCryptError {
        PushCryptError(.malformedKeyring, "The protected keyring lacks \"\(name)\".")
    }
}

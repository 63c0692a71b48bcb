internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptKeyring

/// What the keys of a keyring are for, by the names that a JWK's `use` has.
enum KeyUse: String, ExpressibleByArgument, CaseIterable {
    case enc
    case sig

    /// Whether a keyring is under a passphrase.
    static func isProtected(_ path: String) throws(PushCryptError) -> Bool {
        try SecretFile(path).read().read { ProtectedKeyring.isProtected($0) }
    }

    /// What the keys of an existing keyring are for; `nil` where that is not to be seen, because there is no such file or it
    /// is under a passphrase.
    static func of(_ path: String) throws(PushCryptError) -> KeyUse? {
        let contents: SecretBytes
        do throws(PushCryptError) {
            contents = try SecretFile(path).read()
        } catch {
            if error.code == .fileNotFound { return nil }
            throw error
        }
        return try contents.read { (bytes) throws(PushCryptError) in
            if ProtectedKeyring.isProtected(bytes) { return nil }
            return try JWKSet(parsing: bytes).elements.first?.jwk.curve == .ed25519 ? .sig : .enc
        }
    }
}

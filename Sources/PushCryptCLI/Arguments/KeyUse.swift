internal import ArgumentParser
internal import PushCryptCore

/// What the keys of a keyring are for, by the names that a JWK's `use` has.
enum KeyUse: String, ExpressibleByArgument, CaseIterable {
    case enc
    case sig

    /// What the keys of an existing keyring are for; `nil` where there is no such file.
    static func of(_ path: String) throws(PushCryptError) -> KeyUse? {
        do throws(PushCryptError) {
            return try SecretFile(path).read().read { (bytes) throws(PushCryptError) in
                try JWKSet(parsing: bytes).elements.first?.jwk.curve == .ed25519 ? .sig : .enc
            }
        } catch {
            if error.code == .fileNotFound { return nil }
            throw error
        }
    }
}

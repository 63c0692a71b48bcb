internal import ArgumentParser
internal import PushCryptCore

/// A public key on the command line (KEY).
enum KeyArgument {
    /// Reads a JWK, the raw key, or a file that holds a JWK or a JWK Set.
    static func publicKey<Key: PublicKey>(_: Key.Type, _ argument: String) throws -> Key {
        if argument.hasPrefix("{") {
            let bytes = Array(argument.utf8)
            if try JWK(parsing: bytes.span).privateKey != nil {
                throw ValidationError(
                    """
                    A private key was given on the command line, where every process can read it. Consider it lost, make \
                    a new one, and name its file.
                    """)
            }
            return try Key(parsing: argument)
        }
        if argument.utf8.count == 43, let key = try? Key(parsing: argument) { return key }
        return try read(Key.self, from: argument)
    }

    /// Reads a file, which may hold private keys too and is therefore read into guarded memory.
    private static func read<Key: PublicKey>(_: Key.Type, from path: String) throws(PushCryptError) -> Key {
        let file: SecretBytes
        do throws(PushCryptError) {
            file = try SecretFile(path).read(isPrivate: false)
        } catch {
            switch error.code {
            case .fileNotFound:
                throw PushCryptError(
                    .fileNotFound, "\(path) is neither a file nor a JWK nor a raw key of 43 characters.")
            case .fileUnsafe:
                // A pipe, as in <(curl …).
                let bytes = try Input.read(path)
                return try Key(parsing: bytes.span)
            default:
                throw error
            }
        }
        return try file.read { (bytes) throws(PushCryptError) in try Key(parsing: bytes) }
    }
}

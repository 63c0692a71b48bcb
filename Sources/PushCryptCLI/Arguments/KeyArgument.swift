internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptKeyring

/// A public key on the command line (KEY).
enum KeyArgument {
    /// Reads a JWK or JWK Set, the raw key, or a file that holds one of them.
    ///
    /// Where the argument is or may be a private key it is refused as wrong usage, and not repeated in the message.
    static func publicKey<Key: PublicKey>(_: Key.Type, _ argument: String, for option: String) throws -> Key {
        guard !argument.isEmpty else { throw ValidationError("The value of '\(option)' is empty.") }
        if argument.contains(where: { $0 == "{" || $0 == "\"" || $0.isNewline }) {
            guard !argument.contains(#""d""#) else {
                throw ValidationError(
                    """
                    A private key was given to '\(option)' on the command line, where every process can read it. Consider it \
                    lost, make a new one, and name its file.
                    """)
            }
            return try naming(option) { try Key(parsing: argument) }
        }
        if argument.utf8.count == 43, let key = try? Key(parsing: argument) { return key }
        guard argument.utf8.count < 43 || argument.contains(where: { $0 == "/" || $0 == "." }) else {
            throw ValidationError(
                "The value of '\(option)' is neither a file nor a JWK nor a raw key of 43 characters.")
        }
        return try naming("\(option) \(argument)") { try read(Key.self, from: argument) }
    }

    private static func naming<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PushCryptError {
            throw error.naming(name)
        }
    }

    /// Reads a file, which may hold private keys too and is therefore read into guarded memory.
    private static func read<Key: PublicKey>(_: Key.Type, from path: String) throws(PushCryptError) -> Key {
        let file: SecretBytes
        do throws(PushCryptError) {
            file = try SecretFile(path).read(isPrivate: false)
        } catch {
            switch error.code {
            case .fileNotFound:
                throw PushCryptError(.fileNotFound, "This is neither a file nor a JWK nor a raw key of 43 characters.")
            case .insecureFile:
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

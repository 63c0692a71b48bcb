internal import ArgumentParser
internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// The keyring that a command works on.
struct KeyringOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The keyring file. Default: $PUSHCRYPT_KEYRING, else Keys/keyring.jwks.", valueName: "file"))
    var keyring: String?

    @OptionGroup var passphrase: PassphraseOption

    func validate() throws {
        try PathArgument.check(keyring, for: "--keyring")
        try PathArgument.check(path, for: keyring == nil ? "$PUSHCRYPT_KEYRING" : "--keyring")
        guard !path.contains("\u{FFFD}") else {
            throw ValidationError(
                "The keyring's name is not UTF-8, so that it might be another's. Give it another name.")
        }
    }

    /// The file's path.
    var path: String {
        if let keyring { return keyring }
        let variable = ProcessInfo.processInfo.environment["PUSHCRYPT_KEYRING"] ?? ""
        return variable.isEmpty ? "Keys/keyring.jwks" : variable
    }

    /// Reads a keyring of one kind.
    func read<Key: PrivateKey>(_: Key.Type) throws(PushCryptError) -> Keyring<Key> {
        let ring = try naming { () throws(PushCryptError) in
            try KeyringFile<Key>(path: path, passphrase: passphrase.source(for: path)).read()
        }
        passphrase.warnIfUseless(for: path)
        return ring
    }

    /// Says in an error which keyring it is about.
    func naming<Result>(_ body: () throws(PushCryptError) -> Result) throws(PushCryptError) -> Result {
        do throws(PushCryptError) {
            return try body()
        } catch {
            throw error.naming("keyring \(path)")
        }
    }
}

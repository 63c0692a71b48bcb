internal import ArgumentParser
internal import PushCryptSender

/// The use of a keyring's keys, named as in a JWK's `use`.
enum KeyUse: String, ExpressibleByArgument, CaseIterable {
    case enc
    case sig

    init<Key: PrivateKey>(_: Key.Type) { self = Key.self == SigningKey.self ? .sig : .enc }
}

/// A command that works on a keyring with keys of either use.
protocol KeyringCommand: ParsableCommand {
    var keyring: KeyringOption { get }

    /// A Boolean value that indicates whether the keyring is a mounted secret, which only reading commands accept.
    var mounted: Bool { get }

    /// Does the work with the keyring, and returns the lines for standard output.
    func describe() throws(PushCryptError) -> String

    /// Does the work with the keyring's type of keys.
    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String
}

extension KeyringCommand {
    var mounted: Bool { false }

    func run() throws {
        let text = try describe()
        do throws(PushCryptError) {
            if !text.isEmpty { try Output.line(text) }
        } catch {
            if error.code != .outputClosed {
                Output.hint("if the command changes the keyring, the change is stored: 'pushcrypt keys list' shows it")
            }
            throw error
        }
    }

    func describe() throws(PushCryptError) -> String {
        let file = keyring.file(isMounted: mounted)
        return try file.explainingErrors { () throws(PushCryptError) in
            let state = try file.state()
            guard state != .missing else { throw PushCryptError(.fileNotFound, "It does not exist.") }
            try file.warnOfUselessPassphrase()
            return try file.open(as: state.use, passphrase: file.passphraseSource).run(self)
        }
    }
}

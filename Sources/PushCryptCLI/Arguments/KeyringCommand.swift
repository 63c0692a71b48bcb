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

    /// Does the work and returns the lines for standard output.
    func output() throws(PushCryptError) -> String

    /// Does the work with the keyring's type of keys.
    func output<Key: PrivateKey>(of file: KeyringFile<Key>) throws(PushCryptError) -> String
}

extension KeyringCommand {
    var mounted: Bool { false }

    func run() throws {
        let text = try output()
        do {
            if !text.isEmpty { try Output.line(text) }
        } catch {
            Output.hint("if the command changes the keyring, the change is stored: 'pushcrypt keys list' shows it")
            throw error
        }
    }

    func output() throws(PushCryptError) -> String {
        let file = keyring.file(isMounted: mounted)
        return try file.explainingErrors { () throws(PushCryptError) in
            let state = try file.state()
            guard state != .missing else { throw PushCryptError(.fileNotFound, "It does not exist.") }
            try file.warnOfUselessPassphrase()
            return try output(of: state.use, file.passphraseSource)
        }
    }

    /// Does the work with keys of a use, or else of the use that the decrypted file tells.
    func output(
        of use: KeyUse?, _ passphrase: @escaping PassphraseInput.Source, protectsNewFiles: Bool = false
    ) throws(PushCryptError) -> String {
        func output<Key: PrivateKey>(_: Key.Type) throws(PushCryptError) -> String {
            try self.output(
                of: KeyringFile<Key>(
                    path: keyring.path, isMounted: mounted, passphrase: passphrase, protectsNewFiles: protectsNewFiles))
        }
        guard use != .sig else { return try output(SigningKey.self) }
        do throws(PushCryptError) {
            return try output(RecipientPrivateKey.self)
        } catch {
            guard use == nil, error.code == .wrongKeyType else { throw error }
            return try output(SigningKey.self)
        }
    }
}

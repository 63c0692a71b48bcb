internal import ArgumentParser
internal import PushCryptSender

/// The use of a keyring's keys, named as in a JWK's `use`.
enum KeyUse: String, ExpressibleByArgument, CaseIterable {
    case enc
    case sig

    init<Key: PrivateKey>(_: Key.Type) { self = Key.self == SigningKey.self ? .sig : .enc }
}

/// A command that works on an existing keyring with keys of either kind.
protocol KeyringCommand: ParsableCommand {
    var keyring: KeyringOption { get }

    /// A hint for a change that is stored although its output couldn't be written.
    var hintIfOutputFails: String? { get }

    /// Does the work and returns the lines for standard output.
    func output<Key: PrivateKey>(of file: KeyringFile<Key>) throws(PushCryptError) -> String
}

extension KeyringCommand {
    var hintIfOutputFails: String? { nil }

    func output() throws(PushCryptError) -> String {
        let (file, passphrase) = (keyring.file, keyring.passphrase.source(for: keyring.path))
        return try file.explainingErrors { () throws(PushCryptError) in
            switch try file.use(passphrase) {
            case .enc: try output(of: KeyringFile<RecipientPrivateKey>(path: file.path, passphrase: passphrase))
            case .sig: try output(of: KeyringFile<SigningKey>(path: file.path, passphrase: passphrase))
            }
        }
    }

    func run() throws {
        let text = try output()
        do {
            if !text.isEmpty { try Output.line(text) }
        } catch {
            if let hintIfOutputFails { Output.hint(hintIfOutputFails) }
            throw error
        }
    }
}

internal import ArgumentParser
internal import PushCryptSender

/// The use of a keyring's keys, named as in a JWK's `use`.
enum KeyUse: String, ExpressibleByArgument, CaseIterable {
    case enc
    case sig

    init<Key: PrivateKey>(_: Key.Type) { self = Key.self == SigningKey.self ? .sig : .enc }
}

/// The work on a keyring with keys of either use.
protocol KeyringWork {
    associatedtype Result

    /// Does the work with the keyring's type of keys.
    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> Result
}

/// A command that works on a keyring, and prints lines.
protocol KeyringCommand: ParsableCommand, KeyringWork where Result == String {
    var keyring: KeyringOption { get }

    /// A Boolean value that indicates whether the keyring is a mounted secret, which only reading
    /// commands accept.
    var mounted: Bool { get }

    /// Does the work, and returns the lines for standard output.
    func describe() throws(PushCryptError) -> String
}

extension KeyringCommand {
    var mounted: Bool { false }

    func describe() throws(PushCryptError) -> String {
        // A file that can't be read is an error of the work.
        if let text = try? keyring.file(isMounted: mounted).uselessPassphrase {
            Output.warning(text)
        }
        return try keyring.perform(self, isMounted: mounted)
    }

    func run() throws {
        let text = try describe()
        do throws(PushCryptError) {
            if !text.isEmpty { try Output.line(text) }
        } catch {
            if error.code != .outputClosed {
                Output.hint(
                    """
                    if the command changes the keyring, the change is stored: 'pushcrypt keys \
                    list' shows it
                    """)
            }
            throw error
        }
    }
}

extension KeyringOption {
    /// Opens the keyring, and does the work with it.
    func perform<Work: KeyringWork>(_ work: Work, isMounted: Bool) throws(PushCryptError)
        -> Work.Result
    {
        let file = file(isMounted: isMounted)
        return try file.explainingErrors { () throws(PushCryptError) in
            let state = try file.state()
            guard state != .missing else {
                throw PushCryptError(.fileNotFound, "It does not exist.")
            }
            return try file.open(as: state.use, passphrase: file.passphraseSource).run(work)
        }
    }
}

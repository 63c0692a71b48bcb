internal import PushCryptCore
internal import PushCryptKeyring

/// What a command does with a keyring of either kind.
protocol KeyringWork {
    associatedtype Result

    /// Does it.
    func run<Key: PrivateKey>(_ file: KeyringFile<Key>, _ use: KeyUse) throws(PushCryptError) -> Result
}

extension KeyringOption {
    /// Finds out what the keys of an existing keyring are for, and does the work.
    func perform<Work: KeyringWork>(_ work: Work) throws(PushCryptError) -> Work.Result {
        let passphrase = passphrase.source(for: path)
        return try naming { () throws(PushCryptError) in
            switch try use(passphrase) {
            case .enc: try work.run(KeyringFile<RecipientPrivateKey>(path: path, passphrase: passphrase), .enc)
            case .sig: try work.run(KeyringFile<SigningKey>(path: path, passphrase: passphrase), .sig)
            }
        }
    }

    /// What the keys of an existing keyring are for.
    func use(_ passphrase: @escaping KeyringFile<SigningKey>.PassphraseSource) throws(PushCryptError) -> KeyUse {
        if let use = try KeyUse.of(path) { return use }
        // Under a passphrase that is to be seen from inside only.
        do throws(PushCryptError) {
            _ = try KeyringFile<RecipientPrivateKey>(path: path, passphrase: passphrase).read()
            return .enc
        } catch {
            guard error.code == .wrongKeyType else { throw error }
            return .sig
        }
    }
}

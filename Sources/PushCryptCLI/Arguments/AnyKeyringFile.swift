internal import PushCryptSender

/// A keyring file of either use.
enum AnyKeyringFile {
    case recipient(KeyringFile<RecipientPrivateKey>)
    case signing(KeyringFile<SigningKey>)

    /// Does work with the file.
    func run<Work: KeyringWork>(_ work: Work) throws(PushCryptError) -> Work.Result {
        switch self {
        case .recipient(let file): try work.run(with: file)
        case .signing(let file): try work.run(with: file)
        }
    }
}

extension KeyringArgument {
    /// Opens the file for keys of a use; by default, the one that its decrypted contents tell.
    func open(
        as use: KeyUse?, passphrase: @escaping PassphraseInput.Source,
        protectsNewFiles: Bool = false
    ) throws(PushCryptError) -> AnyKeyringFile {
        func file<Key: PrivateKey>() -> KeyringFile<Key> {
            KeyringFile(
                path: path, isMounted: isMounted, passphrase: passphrase,
                protectsNewFiles: protectsNewFiles)
        }
        let knownUse = if let use { use } else { try readUse(of: file()) }
        switch knownUse {
        case .enc: return .recipient(file())
        case .sig: return .signing(file())
        }
    }

    /// Returns the use of the keys in a protected file, which only its decrypted contents tell.
    private func readUse(of file: KeyringFile<RecipientPrivateKey>) throws(PushCryptError) -> KeyUse
    {
        do throws(PushCryptError) {
            _ = try file.read()
            return .enc
        } catch {
            guard error.code == .wrongKeyType else { throw error }
            return .sig
        }
    }
}

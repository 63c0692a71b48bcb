internal import ArgumentParser
internal import PushCryptSender
internal import PushCryptSystem

/// What the operator knows of the newest keyring, for a command that tells an older one.
struct BackupOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The last copy of the keyring. The keyring must not be older, and the copy should not \
            be.
            """,
            valueName: "file"),
        completion: .file())
    var backup: String?

    @Option(
        help: ArgumentHelp(
            "The generation that the keyring has reached, as your last check has printed it.",
            valueName: "number"))
    var notOlderThan: UInt64?

    func validate() throws { try PathArgument.check(backup, for: "--backup") }

    /// Checks that the keyring isn't older than what is known, and returns a warning if the copy
    /// is.
    ///
    /// The copy has the passphrase of the keyring, if it has one.
    func check<Key: PrivateKey>(
        _ ring: Keyring<Key>, in file: KeyringFile<Key>
    ) throws(PushCryptError) -> [KeyringFinding] {
        if let notOlderThan, ring.generation < notOlderThan {
            throw PushCryptError(
                .olderKeyring,
                """
                The keyring has generation \(ring.generation), and \(notOlderThan) is known. \
                Restore a newer copy.
                """)
        }
        guard let backup else { return [] }
        let copy = try read(backup, beside: file)
        if copy.generation > ring.generation {
            throw PushCryptError(
                .olderKeyring,
                "The keyring has generation \(ring.generation), and its copy \(backup) has "
                    + "\(copy.generation). "
                    + "Restore the copy.")
        }
        return [difference(of: copy, from: ring)].compactMap(\.self)
    }

    /// Reads the copy with the passphrase of the keyring.
    private func read<Key: PrivateKey>(
        _ path: String, beside file: KeyringFile<Key>
    ) throws(PushCryptError) -> Keyring<Key> {
        let passphrase = PassphraseInput(file: nil, descriptor: nil)
        return try KeyringArgument(name: "--backup", path: path, passphrase: passphrase)
            .explainingErrors { () throws(PushCryptError) in
                guard !FileSystem.isSameFile(path, file.path) else {
                    throw PushCryptError(
                        .invalidConfiguration, "This is the keyring itself. Name its copy.")
                }
                return try file.file(at: path).read()
            }
    }

    /// Returns the warning of a copy that a newer one should replace, or that must be kept.
    ///
    /// A keyring that was restored and changed since can have a higher generation than a newer
    /// copy.
    private func difference<Key: PrivateKey>(of copy: Keyring<Key>, from ring: Keyring<Key>)
        -> KeyringFinding?
    {
        let known = ring.states.map(\.key.keyID)
        let current = [copy.primary.key.publicKey] + copy.pending.map(\.key.publicKey)
        if let lacking = current.first(where: { !known.contains($0.keyID) }) {
            return .warning(
                "backup-differs",
                """
                \(backup ?? "the copy") has the key \(lacking.keyID), which the keyring lacks: \
                unless you have revoked \
                or destroyed it, this is an older or another keyring, so keep the copy
                """)
        }
        guard copy.generation < ring.generation else { return nil }
        return .warning(
            "backup-older",
            "\(backup ?? "the copy") has generation \(copy.generation), and the keyring has "
                + "\(ring.generation): "
                + "back up the keyring")
    }
}

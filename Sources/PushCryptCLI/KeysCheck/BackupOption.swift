internal import ArgumentParser
internal import PushCryptSender

/// What the operator knows of the newest keyring, for a command that tells an older one.
struct BackupOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The last copy of the keyring. The keyring must not be older, and the copy should not be.",
            valueName: "file"),
        completion: .file())
    var backup: String?

    @Option(
        help: ArgumentHelp(
            "The generation that the keyring has reached, as your last check has printed it.", valueName: "number"))
    var notOlderThan: UInt64?

    func validate() throws { try PathArgument.check(backup, for: "--backup") }

    /// Checks that the keyring isn't older than what is known, and returns a warning if the copy is.
    ///
    /// The copy has the passphrase of the keyring, if it has one.
    func check<Key: PrivateKey>(
        _ ring: Keyring<Key>, in file: KeyringFile<Key>
    ) throws(PushCryptError) -> [KeyringFinding] {
        if let notOlderThan, ring.generation < notOlderThan {
            throw PushCryptError(
                .olderKeyring,
                "The keyring has generation \(ring.generation), and \(notOlderThan) is known. Restore a newer copy.")
        }
        guard let backup else { return [] }
        let copy = try naming("--backup \(backup)") { () throws(PushCryptError) in
            try file.file(at: backup).read()
        }
        if copy.generation > ring.generation {
            throw PushCryptError(
                .olderKeyring,
                "The keyring has generation \(ring.generation), and its copy \(backup) has \(copy.generation). "
                    + "Restore the copy.")
        }
        if copy.generation < ring.generation {
            return [
                .warning(
                    "backup-older",
                    "\(backup) has generation \(copy.generation), and the keyring has \(ring.generation): "
                        + "back up the keyring")
            ]
        }
        guard copy.states.map(\.key.keyID) == ring.states.map(\.key.keyID) else {
            return [
                .warning("backup-differs", "\(backup) has other keys at the same generation: find out which one signs")
            ]
        }
        return []
    }
}

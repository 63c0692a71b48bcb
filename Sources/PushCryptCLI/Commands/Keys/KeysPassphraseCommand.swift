internal import ArgumentParser
internal import PushCryptSender

struct KeysPassphraseCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Add, change or remove the passphrase of a keyring.",
        discussion: """
            Asks on the terminal for the old passphrase, if there is one, and twice for the new \
            one. The keys stay the same. Backups of the file keep the old passphrase.

            Example: pushcrypt keys passphrase --keyring server.jwks
            """)

    @OptionGroup var keyring: KeyringOption

    @Option(
        help: ArgumentHelp(
            "Read the new passphrase from this file. Default: ask twice.", valueName: "file"),
        completion: .file())
    var newPassphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "Read the new passphrase from an open file descriptor.", valueName: "number"))
    var newPassphraseFd: Int32?

    @Flag(help: "Remove the passphrase. The file mode 0600 is then the only protection.")
    var remove = false

    private var new: PassphraseInput {
        PassphraseInput(
            option: "--new-passphrase", file: newPassphraseFile, descriptor: newPassphraseFd)
    }

    func validate() throws {
        try new.validate()
        guard !remove || !new.isGiven else {
            throw ValidationError("Give '--remove' or a new passphrase, not both.")
        }
        guard newPassphraseFd == nil || newPassphraseFd != keyring.passphrase.descriptor else {
            throw ValidationError(
                "'--passphrase-fd' and '--new-passphrase-fd' need different descriptors.")
        }
    }

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let isProtected = try keyring.file().state() == .protected
        guard isProtected || !remove else {
            Output.hint("\(file.path) has no passphrase: nothing was changed")
            return ""
        }
        guard isProtected || !keyring.passphrase.isGiven else {
            throw PushCryptError(
                .passphraseRequired,
                "The keyring has no passphrase yet. Give the new one with '--new-passphrase-file'."
            )
        }
        // A wrong passphrase is an error before a new one is typed.
        _ = try file.read()
        // Ask before the file is locked: typing may take long.
        let passphrase =
            remove ? nil : try new.read("New passphrase for \(file.path): ", confirming: true)
        try file.setPassphrase(passphrase)
        Output.hint(
            remove
                ? "removed the passphrase of \(file.path); keep the file secret"
                : "\(isProtected ? "changed" : "added") the passphrase of \(file.path)")
        return ""
    }
}

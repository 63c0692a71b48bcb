internal import ArgumentParser

/// The options for the passphrase of a keyring.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read the keyring's passphrase from this file. Default: ask.", valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    @Option(help: ArgumentHelp("Read the passphrase from an open file descriptor.", valueName: "number"))
    var passphraseFd: Int32?

    var input: PassphraseInput { PassphraseInput(file: passphraseFile, descriptor: passphraseFd) }

    func validate() throws { try input.validate() }
}

internal import ArgumentParser
internal import PushCryptSender

/// The passphrase of a protected keyring.
struct PassphraseOption: ParsableArguments {
    typealias Source = @Sendable () throws(PushCryptError) -> Passphrase

    @Option(help: ArgumentHelp("Read the keyring's passphrase from this file. Default: ask.", valueName: "file"))
    var passphraseFile: String?

    @Option(help: ArgumentHelp("Read the passphrase from an open file descriptor.", valueName: "number"))
    var passphraseFd: Int32?

    var input: PassphraseInput { .init(option: "--passphrase", file: passphraseFile, descriptor: passphraseFd) }

    func validate() throws { try input.validate() }

    /// Checks that the passphrase and the input don't share standard input, where each would get a part of the other.
    func check(beside input: InputArgument) throws {
        guard passphraseFd != 0 || input.input != "-" else {
            throw ValidationError("Standard input cannot be the passphrase and the input. Name a file for one of them.")
        }
    }

    /// Returns a function that reads the passphrase on its first call only.
    func source(for path: String, confirming: Bool = false) -> Source {
        let (input, known) = (input, LockedValue<Passphrase?>(nil))
        return { () throws(PushCryptError) in
            if let passphrase = known.withLock({ $0 }) { return passphrase }
            let passphrase = try input.read("Passphrase for \(path): ", confirming: confirming)
            known.withLock { $0 = passphrase }
            return passphrase
        }
    }
}

/// The new passphrase of a keyring.
struct NewPassphraseOption: ParsableArguments {
    @Option(help: ArgumentHelp("Read the new passphrase from this file. Default: ask twice.", valueName: "file"))
    var newPassphraseFile: String?

    @Option(help: ArgumentHelp("Read the new passphrase from an open file descriptor.", valueName: "number"))
    var newPassphraseFd: Int32?

    var input: PassphraseInput {
        .init(option: "--new-passphrase", file: newPassphraseFile, descriptor: newPassphraseFd)
    }

    func validate() throws { try input.validate() }
}

/// A file, a descriptor or the terminal: never an argument or a variable, which other processes can read.
struct PassphraseInput {
    let option: String
    let file: String?
    let descriptor: Int32?

    var isGiven: Bool { file != nil || descriptor != nil }

    func validate() throws {
        try PathArgument.check(file, for: "\(option)-file")
        guard file == nil || descriptor == nil else {
            throw ValidationError("Give '\(option)-file' or '\(option)-fd', not both.")
        }
        if let descriptor, descriptor < 0 || (1...2).contains(descriptor) {
            throw ValidationError("'\(option)-fd' is the number of a descriptor to read from: 0, or 3 and above.")
        }
    }

    func read(_ question: String, confirming: Bool) throws(PushCryptError) -> Passphrase {
        if let file {
            return try naming("\(option)-file") { () throws(PushCryptError) in try Passphrase(SecretFile(file).read()) }
        }
        if let descriptor {
            return try naming("\(option)-fd") { () throws(PushCryptError) in
                try Passphrase(PassphrasePrompt.read(descriptor: descriptor))
            }
        }
        let passphrase = try Passphrase(PassphrasePrompt.ask(SafeText.onOneLine(question)))
        guard confirming else { return passphrase }
        guard try passphrase.isEqual(to: Passphrase(PassphrasePrompt.ask("The same again: "))) else {
            throw PushCryptError(.wrongPassphrase, "The two passphrases differ. Nothing was changed.")
        }
        return passphrase
    }
}

internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptKeyring

/// Where the passphrase of a protected keyring comes from: never an argument or the environment, which others can read.
struct PassphraseOption: ParsableArguments {
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp(
            "Read the passphrase of a protected keyring from this file, of mode 0600. Default: ask on the terminal.",
            valueName: "file"))
    var file: String?

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read it from this open file descriptor.", valueName: "number"))
    var descriptor: Int32?

    func validate() throws {
        try PathArgument.check(file, for: "--passphrase-file")
        guard file == nil || descriptor == nil else {
            throw ValidationError("Give '--passphrase-file' or '--passphrase-fd', not both.")
        }
        if let descriptor, descriptor < 0 || (1...2).contains(descriptor) {
            throw ValidationError("'--passphrase-fd' is the number of a descriptor to read from: 0, or 3 and above.")
        }
    }

    /// Refuses to read the passphrase and the input from the same place, where each would get a part of the other.
    func check(beside input: InputArgument) throws {
        guard descriptor != 0 || input.input != "-" else {
            throw ValidationError("Standard input cannot be the passphrase and the input: name a file for one of them.")
        }
    }

    /// Whether one was given on the command line.
    var isGiven: Bool { file != nil || descriptor != nil }

    /// Says that a passphrase was given for nothing: nobody must believe that a keyring is protected when it is not.
    func warnIfUseless(for path: String) {
        guard isGiven, (try? KeyUse.isProtected(path)) == false else { return }
        Output.warning("\(SafeText.onOneLine(path)) is not under a passphrase, though one was given")
    }

    /// Reads the passphrase when it is needed, once.
    func source(for path: String, confirming: Bool = false) -> @Sendable () throws(PushCryptError) -> Passphrase {
        let known = LockedValue<Passphrase?>(nil)
        let (file, descriptor) = (file, descriptor)
        return { () throws(PushCryptError) in
            if let passphrase = known.withLock({ $0 }) { return passphrase }
            let passphrase = try Self.read(file, descriptor, path, confirming)
            known.withLock { $0 = passphrase }
            return passphrase
        }
    }

    private static func naming(
        _ option: String, _ body: () throws(PushCryptError) -> Passphrase
    ) throws(PushCryptError) -> Passphrase {
        do throws(PushCryptError) {
            return try body()
        } catch {
            throw error.naming(option)
        }
    }

    private static func read(
        _ file: String?, _ descriptor: Int32?, _ path: String, _ confirming: Bool
    ) throws(PushCryptError) -> Passphrase {
        if let file {
            return try naming("--passphrase-file") { () throws(PushCryptError) in
                try Passphrase(SecretFile(file).read())
            }
        }
        if let descriptor {
            return try naming("--passphrase-fd") { () throws(PushCryptError) in
                try Passphrase(PassphrasePrompt.read(descriptor: descriptor))
            }
        }
        let passphrase = try Passphrase(PassphrasePrompt.ask("Passphrase for \(SafeText.onOneLine(path)): "))
        guard confirming else { return passphrase }
        let again = try Passphrase(PassphrasePrompt.ask("The same again: "))
        guard passphrase.isEqual(to: again) else {
            throw PushCryptError(.wrongPassphrase, "The two passphrases are not the same. Nothing was changed.")
        }
        return passphrase
    }
}

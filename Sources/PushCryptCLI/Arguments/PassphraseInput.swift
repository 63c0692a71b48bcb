internal import ArgumentParser
internal import PushCryptReceiver
internal import PushCryptSender
internal import PushCryptSystem

/// The source of a passphrase: a file, a descriptor or the terminal, which other processes can't
/// read.
struct PassphraseInput {
    typealias Source = @Sendable () throws(PushCryptError) -> Passphrase

    /// The beginning of the options' names.
    var option = "--passphrase"
    let file: String?
    let descriptor: Int32?

    /// The help of the option for a file.
    static let fileHelp = ArgumentHelp(
        "Read the keyring's passphrase from this file. Default: ask.", valueName: "file")

    /// The help of the option for a descriptor.
    static let descriptorHelp = ArgumentHelp(
        "Read the passphrase from an open file descriptor.", valueName: "number")

    var isGiven: Bool { file != nil || descriptor != nil }

    func validate() throws {
        try PathArgument.check(file, for: "\(option)-file")
        guard file == nil || descriptor == nil else {
            throw ValidationError("Give '\(option)-file' or '\(option)-fd', not both.")
        }
        if let descriptor, descriptor < 0 || (1...2).contains(descriptor) {
            throw ValidationError(
                "'\(option)-fd' is the number of a descriptor to read from: 0, or 3 and above.")
        }
    }

    /// Checks that the passphrase and the input don't share standard input, where each would get a
    /// part of the other.
    func check(beside data: DataOptions) throws {
        guard descriptor != 0 || data.input != "-" else {
            throw ValidationError(
                """
                Standard input cannot be the passphrase and the input. Name a file for one of \
                them.
                """)
        }
    }

    /// Returns a function that reads the passphrase on its first call only.
    func source(for path: String, confirming: Bool = false, isMounted: Bool = false) -> Source {
        let known = LockedValue<Passphrase?>(nil)
        return { () throws(PushCryptError) in
            if let passphrase = known.withLock({ $0 }) { return passphrase }
            let passphrase = try read(
                "Passphrase for \(path): ", confirming: confirming, isMounted: isMounted)
            known.withLock { $0 = passphrase }
            return passphrase
        }
    }

    func read(
        _ question: String, confirming: Bool, isMounted: Bool = false
    ) throws(PushCryptError) -> Passphrase {
        if let file {
            do throws(PushCryptError) {
                return try Passphrase(SecretFile(file).read(isPrivate: !isMounted))
            } catch {
                throw error.naming("\(option)-file", file)
            }
        }
        if let descriptor {
            return try naming("\(option)-fd") { () throws(PushCryptError) in
                try Passphrase(PassphrasePrompt.read(descriptor: descriptor))
            }
        }
        let passphrase = try Passphrase(PassphrasePrompt.ask(SafeText.onOneLine(question)))
        guard confirming else { return passphrase }
        guard try passphrase.isEqual(to: Passphrase(PassphrasePrompt.ask("The same again: ")))
        else {
            throw PushCryptError(
                .wrongPassphrase, "The two passphrases differ. Nothing was changed.")
        }
        return passphrase
    }
}

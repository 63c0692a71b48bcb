internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The sender of a command that seals.
struct SigningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Sign with this keyring: the primary key, or the newest retired key that the device \
            accepts.
            """,
            valueName: "keyring"),
        completion: .file())
    var signWith: String?

    @Option(help: PassphraseInput.fileHelp, completion: .file()) var passphraseFile: String?
    @Option(help: PassphraseInput.descriptorHelp) var passphraseFd: Int32?

    @Flag(help: KeyringOption.mountedHelp) var mounted = false

    @Option(
        help: ArgumentHelp(
            "Sign with a program, as described above. May be repeated, the preferred one first.",
            valueName: "command"))
    var signCommand: [String] = []

    // Unconditional, because one raw key in 64 begins with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The public key of the '--sign-command', once for each.", valueName: "key"),
        completion: .file())
    var signer: [String] = []

    @Option(
        help: ArgumentHelp(
            "The longest wait for a signature of the program. Default: 30s.", valueName: "period"),
        transform: Period.seconds)
    var signTimeout: TimeInterval?

    @Flag(
        help: "Do not sign. Anyone who knows the device's public key could have sent the message.")
    var anonymous = false

    var passphrase: PassphraseInput {
        PassphraseInput(file: passphraseFile, descriptor: passphraseFd)
    }

    var isChosen: Bool { signWith != nil || anonymous || !signCommand.isEmpty }

    func validate() throws {
        try passphrase.validate()
        try PathArgument.check(signWith, for: "--sign-with")
        guard signCommand.count == signer.count else {
            throw ValidationError(
                "Each '--sign-command' has a public key. Give '--signer KEY' once for each command."
            )
        }
        guard signCommand.allSatisfy({ !SignCommand.words(of: $0).isEmpty }) else {
            throw ValidationError("The value of '--sign-command' is empty. Name a program.")
        }
        guard signTimeout == nil || !signCommand.isEmpty, (1...3600).contains(signTimeout ?? 1)
        else {
            throw ValidationError(
                "'--sign-timeout' is a period from 1s to 1h, and requires '--sign-command'.")
        }
    }

    /// The sender must be chosen, because an unsigned message is a decision.
    func checkIsChosen() throws {
        guard isChosen else {
            throw ValidationError(
                "The sender is missing. Add '--sign-with KEYRING' or '--anonymous'.")
        }
        let isSigned = signWith != nil || !signCommand.isEmpty
        guard !(isSigned && anonymous) else {
            throw ValidationError(
                """
                Give '--\(signWith == nil ? "sign-command" : "sign-with")' or '--anonymous', not \
                both.
                """)
        }
        guard signWith == nil || signCommand.isEmpty else {
            throw ValidationError("Give '--sign-with' or '--sign-command', not both.")
        }
        let hasKeyringOptions = passphrase.isGiven || mounted
        guard signWith != nil || !hasKeyringOptions else {
            throw ValidationError(
                "A passphrase and '--mounted' require '--sign-with'. Add it, or remove them.")
        }
    }

    /// Reads the keys, and prepares the programs.
    func choice() throws -> SignerChoice {
        if let signWith {
            let keyring = KeyringArgument(
                name: "--sign-with", path: signWith, passphrase: passphrase, isMounted: mounted)
            return SignerChoice(try keyring.read(SigningKey.self).signers)
        }
        guard !signCommand.isEmpty else { return SignerChoice(nil) }
        let signers = try zip(signCommand, signer).map { command, argument in
            let keys = try KeyArgument.verificationKeys([argument], for: "--signer")
            guard let key = keys.first, keys.count == 1 else {
                throw ValidationError(
                    "'--signer' is the key of one command, but has \(keys.count). Give one of them."
                )
            }
            let program = SignCommand(command, timeout: signTimeout ?? 30)
            return Signer(publicKey: key) { message in try program.sign(message) }
        }
        return SignerChoice(signers)
    }
}

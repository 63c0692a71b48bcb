internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptRules
internal import PushCryptSender

/// Seals a payload.
struct SealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Seal a payload for one device.",
        discussion: """
            The input is the payload as you would send it without PushCrypt. Standard output gets the payload to send \
            instead, byte for byte. What a lint would warn of goes to standard error.
            """)

    // Unconditional, because one raw key in 64 begins with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The device's public key: a JWK, a file that holds one, or the 43 characters of the raw key.",
            valueName: "key"))
    var to: [String] = []

    @Option(
        name: .customLong("sign-with"),
        help: ArgumentHelp("Sign with the primary key of this keyring.", valueName: "keyring"))
    var signWith: String?

    @OptionGroup var passphrase: PassphraseOption

    @Flag(help: "Do not sign: devices that accept this accept it from anyone who has their public key.")
    var anonymous = false

    @Option(help: "The push type.")
    var type: PushType = .alert

    @Option(help: "How the length is hidden: buckets (256, 512, 1024, 2048 or the most that fits), maximum or none.")
    var padding: Padding = .buckets

    @OptionGroup var expose: ExposeOption

    @OptionGroup var truncation: TruncateOption
    @OptionGroup var ignored: IgnoreOption
    @OptionGroup var placeholder: PlaceholderOption
    @OptionGroup var output: OutputOption
    @OptionGroup var input: InputArgument

    func validate() throws {
        guard to.count == 1 else {
            throw ValidationError("Say for which device to seal: '--to KEY' is required, once.")
        }
        guard anonymous || signWith != nil else {
            throw ValidationError("Say who signs: either '--sign-with KEYRING' or '--anonymous' is required.")
        }
        guard !anonymous || signWith == nil else {
            throw ValidationError("A message is signed or anonymous: give '--sign-with' or '--anonymous', not both.")
        }
        guard signWith != nil || !passphrase.isGiven else {
            throw ValidationError("A passphrase is for the keyring that '--sign-with' names.")
        }
        try PathArgument.check(signWith, for: "--sign-with")
        try passphrase.check(beside: input)
        try output.check(beside: [input.input, signWith, passphrase.file] + to)
    }

    func run() throws {
        let recipient = try KeyArgument.publicKey(RecipientPublicKey.self, to[0], for: "--to")
        let authentication = try authentication()
        let sealer = Sealer(
            authentication, padding: padding, placeholder: placeholder.placeholder, exposedKeys: try expose.keys(),
            truncatableFields: try truncation.fields(), ignoredRules: try ignored.rules())
        let json = try input.read()
        let headers = APNsHeaders(type)
        let push = try sealer.seal(json: json, for: recipient, headers: headers)
        for finding in try sealer.lint(json: json, headers: headers).findings {
            let line = LintReport.line(finding)
            if finding.rule.severity == .note { Output.hint(line) } else { Output.warning(line) }
        }
        for cut in push.cuts {
            Output.warning(
                "the \(cut.field.rawValue) was too long: \(cut.keptCharacters) characters are left, \(cut.removedCharacters) were cut"
            )
        }
        try output.write(push.payload, isPrivate: false)
    }

    private func authentication() throws -> SenderAuthentication {
        guard let keyring = signWith else { return .anonymous }
        do throws(PushCryptError) {
            let file = KeyringFile<SigningKey>(path: keyring, passphrase: passphrase.source(for: keyring))
            let key = try file.read().primary.key
            passphrase.warnIfUseless(for: keyring)
            return .signed(by: key)
        } catch {
            // Nothing else is read again: it may be a pipe, and what was refused must not be read on another way.
            guard error.code == .malformedJWK,
                (try? KeyArgument.publicKey(VerificationKey.self, keyring, for: "--sign-with")) != nil
            else { throw error.naming("--sign-with \(keyring)") }
            throw PushCryptError(
                .wrongKeyType,
                "--sign-with \(keyring): This is a public key, and signing takes the keyring that 'pushcrypt keygen --use sig' made."
            )
        }
    }
}

internal import ArgumentParser
internal import PushCryptSender

struct SealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Seal a payload for one device.",
        discussion: """
            The input is the payload as you would send it without PushCrypt. Standard output gets the payload to send \
            instead, byte for byte. Standard error gets the findings of 'pushcrypt lint'.

            Example: pushcrypt seal --to device.jwk --sign-with server.jwks payload.json
            """)

    // Unconditional, because one raw key in 64 begins with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The device's public key: a JWK, a registration, a file that holds one, or the raw key.", valueName: "key"))
    var to: [String] = []

    @Option(help: ArgumentHelp("Sign with the primary key of this keyring.", valueName: "keyring"))
    var signWith: String?

    @Option(help: ArgumentHelp("Read the keyring's passphrase from this file. Default: ask.", valueName: "file"))
    var passphraseFile: String?

    @Option(help: ArgumentHelp("Read the passphrase from an open file descriptor.", valueName: "number"))
    var passphraseFd: Int32?

    @Flag(help: KeyringOption.mountedHelp)
    var mounted = false

    @Flag(help: "Do not sign. Anyone who knows the device's public key could have sent the message.")
    var anonymous = false

    @Option(help: "Hide the length: pad to 256, 512, 1024, 2048 bytes or more (buckets), to the maximum, or not.")
    var padding: Padding = .buckets

    @OptionGroup var options: SealingOptions
    @OptionGroup var data: DataOptions

    private var passphrase: PassphraseInput { PassphraseInput(file: passphraseFile, descriptor: passphraseFd) }

    func validate() throws {
        try passphrase.validate()
        guard to.count == 1 else {
            throw ValidationError("The device is \(to.isEmpty ? "missing" : "given twice"). Give '--to KEY' once.")
        }
        guard anonymous || signWith != nil else {
            throw ValidationError("The sender is missing. Add '--sign-with KEYRING' or '--anonymous'.")
        }
        guard !anonymous || signWith == nil else {
            throw ValidationError("Give '--sign-with' or '--anonymous', not both.")
        }
        guard signWith != nil || !passphrase.isGiven && !mounted else {
            throw ValidationError("A passphrase and '--mounted' require '--sign-with'. Add it, or remove them.")
        }
        try PathArgument.check(signWith, for: "--sign-with")
        try passphrase.check(beside: data)
        try data.check(beside: [signWith, passphraseFile] + to)
    }

    func run() throws {
        let recipient = try KeyArgument.recipient(to[0], for: "--to")
        let sender: SenderAuthentication =
            if let signWith {
                .signed(
                    by: try KeyringArgument(
                        name: "--sign-with", path: signWith, passphrase: passphrase, isMounted: mounted
                    )
                    .read(SigningKey.self).primary.key)
            } else {
                .anonymous
            }
        let sealer = options.sealer(sender, padding: padding)
        let json = try data.read()
        let headers = APNsHeaders(options.type)
        let push = try sealer.seal(json: json, for: recipient, headers: headers)
        for finding in try sealer.lint(json: json, headers: headers).findings {
            let line = LintReport.line(finding)
            if finding.rule.severity == .note { Output.hint(line) } else { Output.warning(line) }
        }
        for cut in push.truncations {
            Output.warning(
                "the \(cut.field.rawValue) was too long: \(cut.keptCharacters) characters are left, \(cut.removedCharacters) were cut"
            )
        }
        if let id = push.headers.collapseID { Output.hint("add the header apns-collapse-id: \(id)") }
        try data.write(push.payload, isPrivate: false)
    }
}

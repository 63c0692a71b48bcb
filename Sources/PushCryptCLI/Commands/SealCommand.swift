internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptSender

/// Seals a payload.
struct SealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Seal a payload for one device.",
        discussion: """
            The input is the payload as you would send it without PushCrypt. Standard output gets the payload to send \
            instead, byte for byte.
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

    @Flag(help: "Do not sign: devices that accept this accept it from anyone who has their public key.")
    var anonymous = false

    @Option(help: "The push type.")
    var type: PushType = .alert

    @Option(help: "How the length is hidden: buckets (256, 512, 1024, 2048 or the most that fits), maximum or none.")
    var padding: Padding = .buckets

    @Option(
        help: ArgumentHelp(
            "Keys of the payload's aps to leave visible, with commas between them or repeated: "
                + ExposedKey.allCases.map(\.rawValue).joined(separator: ", ") + ".", valueName: "keys"))
    var expose: [String] = []

    @Option(
        name: .customLong("placeholder-title"),
        help: ArgumentHelp("The visible title of what is shown where nothing opens the message.", valueName: "text"))
    var placeholderTitle: String?

    @Option(
        name: .customLong("placeholder-subtitle"),
        help: ArgumentHelp("The visible subtitle of the same.", valueName: "text"))
    var placeholderSubtitle: String?

    @Option(
        name: .customLong("placeholder-body"),
        help: ArgumentHelp("The visible text of the same.", valueName: "text"))
    var placeholderBody: String = "(Encrypted)"

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
        try PathArgument.check(signWith, for: "--sign-with")
        _ = try exposed()
    }

    func run() throws {
        let recipient = try KeyArgument.publicKey(RecipientPublicKey.self, to[0], for: "--to")
        let authentication = try Self.authentication(signWith)
        let sealer = Sealer(
            authentication, padding: padding,
            placeholder: Placeholder(
                title: placeholderTitle, subtitle: placeholderSubtitle, body: placeholderBody),
            exposing: try exposed())
        let push = try sealer.seal(json: input.read(), for: recipient, headers: APNsHeaders(type))
        try output.write(push.payload, isPrivate: false)
    }

    private static func authentication(_ keyring: String?) throws -> SenderAuthentication {
        guard let keyring else { return .anonymous }
        do throws(PushCryptError) {
            return .signed(by: try KeyringFile<SigningKey>(path: keyring).read().primary.key)
        } catch {
            throw error.naming("--sign-with \(keyring)")
        }
    }

    private func exposed() throws -> Set<ExposedKey> {
        try Set(
            expose.flatMap { $0.split { $0 == "," || $0 == " " } }.map { name in
                guard let key = ExposedKey(rawValue: String(name)) else {
                    let known = ExposedKey.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("Nothing called '\(name)' can be exposed. There are: \(known).")
                }
                return key
            })
    }
}

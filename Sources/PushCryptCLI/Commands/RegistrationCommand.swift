internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct RegistrationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration",
        abstract:
            "Print a registration with a device key of a keyring, as an app sends it, for tests.",
        discussion: """
            Standard output gets one JSON object on a line: store it as your server stores the \
            registration of an app. It names the newest pending key, or the primary key if none is \
            pending, and the generation of the keyring. The keyring isn't modified. In production, \
            only the app registers its key.

            With '--signed-by', the registration names the keys whose signatures the device \
            accepts, so that a server with several signing keys chooses one of them.

            Example: pushcrypt registration --keyring device.jwks --signed-by server.jwk
            """)

    @OptionGroup var keyring: KeyringOption

    @Option(
        help: ArgumentHelp(
            "The longest lifetime of messages to the key, up to 30d.", valueName: "period"))
    var lifetime: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A key, or a file with keys, that the device accepts. May be repeated.",
            valueName: "key"),
        completion: .file())
    var signedBy: [String] = []

    @Flag(help: KeyringOption.mountedHelp) var mounted = false

    func run() throws {
        let seconds = try lifetime.map { try KeyLifetime.seconds(Period.seconds($0)) }
        let ring = try keyring.file(isMounted: mounted).read(RecipientPrivateKey.self)
        let accepted = try KeyArgument.verificationKeys(signedBy, for: "--signed-by")
        let signers = AcceptedSigners(accepted)
        guard signers != nil || accepted.isEmpty else {
            throw PushCryptError(
                .invalidConfiguration, "'--signed-by' has more than 64 keys. Give fewer.")
        }
        let entry = ring.pending.last ?? ring.primary
        let registration = Registration(
            key: entry.key.publicKey, generation: ring.generation, created: entry.created,
            lifetime: seconds ?? entry.lifetimeSeconds, signers: signers)
        try Output.line(registration.json)
    }
}

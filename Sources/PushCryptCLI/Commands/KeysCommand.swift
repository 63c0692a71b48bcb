internal import ArgumentParser
internal import PushCryptCore

/// Looks at keyrings.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Look at a keyring.", subcommands: [KeysPublicCommand.self])
}

/// Prints the public key of a keyring.
struct KeysPublicCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "public",
        abstract: "Print the primary public key, a JWK on one line.")

    @OptionGroup var keyring: KeyringOption

    func run() throws {
        switch try KeyUse.of(keyring.path) {
        case .sig: try Output.line(keyring.read(SigningKey.self).primary.key.publicKey.jwk)
        case .enc, nil: try Output.line(keyring.read(RecipientPrivateKey.self).primary.key.publicKey.jwk)
        }
    }
}

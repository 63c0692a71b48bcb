internal import ArgumentParser
internal import PushCryptSender

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List, check and change the keys of a keyring.",
        discussion: """
            A key is pending, primary or retired, and finally destroyed. The primary key is in \
            use. Pending keys are for later. Retired keys still open messages, for 30 days and 48 \
            hours, or still sign for devices that accept no newer key. KEY is the ID of a key, or \
            its first letters. Put -- before an ID that begins with a hyphen.

            Example: pushcrypt keys list --keyring server.jwks
            """,
        subcommands: [
            KeysListCommand.self, KeysPublicCommand.self, KeysPromoteCommand.self,
            KeysRetireCommand.self, KeysPruneCommand.self, KeysAnnounceCommand.self,
            KeysRevokeCommand.self, KeysPassphraseCommand.self, KeysCheckCommand.self,
        ])
}

struct KeysPublicCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "public",
        abstract: "Print the primary public key, a JWK on one line.",
        discussion: "Example: pushcrypt keys public --keyring server.jwks > server.jwk")

    @OptionGroup var keyring: KeyringOption

    @Flag(help: KeyringOption.mountedHelp) var mounted = false

    @Flag(
        help:
            "Print all public keys, one per line: the primary first, then pending and retired ones."
    )
    var all = false

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let ring = try file.read()
        return (all ? ring.keys : [ring.primary.key]).map(\.publicKey.jwk).joined(separator: "\n")
    }
}

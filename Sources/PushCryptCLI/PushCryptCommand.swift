internal import ArgumentParser

/// The tool.
struct PushCrypt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushcrypt",
        abstract: "Seals APNs payloads so that one device alone can read them, and opens them again.",
        discussion: """
            A key (KEY) is a JWK, a file that holds one (of a JWK Set the primary key is taken), or the 43 characters of \
            a raw public key in base64url. An input is a file, or - for standard input, which is the default. Private \
            keys are in keyring files and nowhere else; the keyring is $PUSHCRYPT_KEYRING, or Keys/keyring.jwks.

            Exit status: 0 done, 1 trouble with a file or a key, 64 wrong usage, 65 input that is invalid, not authentic \
            or cannot be opened.
            """,
        version: "0.1.0",
        subcommands: [
            KeygenCommand.self, KeysCommand.self, SealCommand.self, OpenCommand.self, PreviewCommand.self,
            InspectCommand.self, LintCommand.self, DemoCommand.self,
        ]
    )
}

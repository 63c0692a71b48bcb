internal import ArgumentParser
internal import PushCryptSender

struct PushCrypt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushcrypt",
        abstract:
            "Seals APNs payloads so that only one device can read them, and opens them again.",
        discussion: """
            A KEY is a public key: a JWK, a file that holds one, or the 43 characters of the raw \
            key in base64url. Of a JWK Set, '--to' takes the primary key, and '--signed-by' all \
            keys, also if a file has them on lines. INPUT is a file, or - for standard input, \
            which is the default. Private keys are in keyring files only. The default keyring is \
            $PUSHCRYPT_KEYRING, or Keys/keyring.jwks.

            Exit status: 0 done, 1 a file or a key cannot be used, 64 wrong usage, 65 the input is \
            invalid, not \
            authentic or cannot be opened. Only 'keys check --strict' exits with 3, for a warning.

            Example: pushcrypt demo
            """,
        version: ToolVersion.description,
        subcommands: [
            KeygenCommand.self, KeysCommand.self, RegistrationCommand.self, SealCommand.self,
            SendCommand.self, OpenCommand.self, PreviewCommand.self, InspectCommand.self,
            LintCommand.self, DoctorCommand.self, TestServerCommand.self, AttachCommand.self,
            XcodeCommand.self, DemoCommand.self,
        ]
    )
}

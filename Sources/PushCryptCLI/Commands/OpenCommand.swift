internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptReceiver

/// Opens a sealed payload.
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a sealed payload and print the original.",
        discussion: """
            The input is the payload as it travels. Standard output gets the original, byte for byte, and nothing at all \
            where something sealed does not open. A Live Activity push is sealed in parts: it is printed whole, with what \
            was sealed in its place, and what was not sealed is authentic to nobody.
            """)

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var senders: SenderPolicyOption
    @OptionGroup var output: OutputOption
    @OptionGroup var input: InputArgument

    func validate() throws {
        try keyring.passphrase.check(beside: input)
        try output.check(beside: [input.input, keyring.path, keyring.passphrase.file] + senders.signedBy)
    }

    func run() throws {
        let keys = InMemoryKeyStore(try keyring.read(RecipientPrivateKey.self))
        let opener = Opener(keys: keys, senderPolicy: try senders.policy())
        let payload = try Self.open(input.read(), with: opener)
        // Byte for byte into a file or a pipe; a terminal gets the same value, with escapes for what could steer it.
        let isShown = output.output == "-" && Output.isTerminal
        let shown = isShown ? Array(SafeText.json(String(decoding: payload, as: UTF8.self)).utf8) : payload
        try output.write(shown, isPrivate: true)
    }

    private static func open(_ json: [UInt8], with opener: Opener) throws(PushCryptError) -> [UInt8] {
        do throws(PushCryptError) {
            return try opener.open(json: json).payload
        } catch {
            guard error.code == .notSealed else { throw error }
            do throws(PushCryptError) {
                return try opener.open(liveActivity: json)
            } catch let other {
                throw other.code == .notSealed ? error : other
            }
        }
    }
}

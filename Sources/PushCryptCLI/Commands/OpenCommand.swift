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
            unless all of it is authentic.
            """)

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var senders: SenderPolicyOption
    @OptionGroup var output: OutputOption
    @OptionGroup var input: InputArgument

    func run() throws {
        let keys = InMemoryKeyStore(try keyring.read(RecipientPrivateKey.self))
        let opener = Opener(keys: keys, accepting: try senders.policy())
        let payload = try opener.open(json: input.read()).payload
        // Byte for byte into a file or a pipe; a terminal gets the same value, with escapes for what could steer it.
        let isShown = output.output == "-" && Output.isTerminal
        let shown = isShown ? Array(SafeText.json(String(decoding: payload, as: UTF8.self)).utf8) : payload
        try output.write(shown, isPrivate: true)
    }
}

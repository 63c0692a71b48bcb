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
        try output.write(opener.open(json: input.read()).payload, isPrivate: true)
    }
}

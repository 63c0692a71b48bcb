internal import ArgumentParser
internal import PushCryptReceiver
internal import PushCryptSender

struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a sealed payload and print the original.",
        discussion: """
            Standard output gets the original, byte for byte, and nothing if any sealed part \
            doesn't open. A Live Activity push is sealed in parts. It is printed whole, and the \
            parts that weren't sealed aren't authentic.

            With '--lines', each line is a JSON object with a sealed "payload". Its answer has the \
            original instead, and all other members unchanged. A member "type" replaces the \
            option. If a payload doesn't open, the answer has "line" and "error" instead, and the \
            exit status is 65.

            Example: pushcrypt open --signed-by server.jwk sealed.json
            """)

    @Option(help: "The push type. A message of another kind doesn't open.") var type: PushType =
        .alert
    @Flag(help: KeyringOption.mountedHelp) var mounted = false

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var sender: SenderOptions
    @OptionGroup(title: "Lines") var lines: LineOptions
    @OptionGroup(title: "Lines") var threads: ThreadOption
    @OptionGroup var data: DataOptions

    func validate() throws {
        try threads.check(beside: lines)
        try sender.check(beside: keyring, data)
    }

    func run() throws {
        try type.checkSealable()
        guard !lines.lines else {
            return try lines.run(data, isPrivate: true, threads: threads.count) {
                let opener = try sender.opener(with: keyring.file(isMounted: mounted))
                return LineOpening(opener: opener, type: type)
            }
        }
        let opener = try sender.opener(with: keyring.file(isMounted: mounted))
        let payload = try opener.original(of: data.read(), as: type)
        // A terminal gets the same value, with escapes for the characters that could control it.
        let shown =
            data.isTerminal
            ? Array(SafeText.json(String(decoding: payload, as: UTF8.self)).utf8) : payload
        try data.write(shown, isPrivate: true)
    }
}

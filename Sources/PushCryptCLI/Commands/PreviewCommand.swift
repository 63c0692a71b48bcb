internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptReceiver

/// Shows what a device would show.
struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Show what the lock screen shows for a sealed payload, the fallback included.",
        discussion: """
            Where the message does not open, the fallback is printed, the reason goes to standard error, and the exit \
            status is 65.
            """)

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var senders: SenderPolicyOption

    @Flag(help: "Print the fields as one JSON object, by the names of UNNotificationContent.")
    var json = false

    @Option(help: ArgumentHelp("A .strings file in which loc-keys are looked up.", valueName: "file"))
    var strings: String?

    @OptionGroup var output: OutputOption
    @OptionGroup var input: InputArgument

    func validate() throws {
        try PathArgument.check(strings, for: "--strings")
        try keyring.passphrase.check(beside: input)
        try output.check(beside: [input.input, keyring.path, keyring.passphrase.file, strings] + senders.signedBy)
    }

    func run() throws {
        let table = try strings.map { try StringsArgument.read($0) }
        let keys = InMemoryKeyStore(try keyring.read(RecipientPrivateKey.self))
        let presenter = NotificationOpener(Opener(keys: keys, senderPolicy: try senders.policy()), strings: table)
        let delivered = try input.read()
        try Inspection.refuseKeys(delivered)
        let shown = Self.present(delivered, with: presenter)
        let text =
            if json {
                try PreviewReport.json(shown, delivered: delivered)
            } else if Output.isTerminal, output.output == "-" {
                LockScreen.drawing(shown.content)
            } else {
                LockScreen.plainText(shown.content)
            }
        try output.write(Array((text + "\n").utf8), isPrivate: true)
        if let failure = shown.outcome.failure {
            Output.error(failure)
            throw ExitStatus.input
        }
    }

    /// Background, VoIP and Live Activity pushes get to no lock screen, and no extension sees them.
    private static func checkThatSomethingIsShown(_ delivered: [UInt8]) throws(PushCryptError) {
        guard let aps = try? JSONValue(forDisplay: delivered)["aps"]?.objectValue else { return }
        if aps[PayloadKey.event.rawValue] != nil, aps[PayloadKey.contentState.rawValue] != nil {
            throw PushCryptError(
                .noAlertText,
                "This is a Live Activity push: the widget opens it, not an extension. 'pushcrypt open' prints what the widget gets."
            )
        }
        guard aps[PayloadKey.alert.rawValue] == nil else { return }
        throw PushCryptError(
            .noAlertText,
            "This push has no alert, so the device shows nothing and the app opens it, as with background and VoIP pushes. 'pushcrypt open' prints what the app gets."
        )
    }

    /// What is shown, also where the input is no JSON at all: a device would never get it, but the answer is the same.
    private static func present(_ delivered: [UInt8], with presenter: NotificationOpener) -> NotificationResult {
        do throws(PushCryptError) {
            try checkThatSomethingIsShown(delivered)
            return presenter.present(try DeliveredNotification(json: delivered))
        } catch {
            let fallback = NotificationContent(body: presenter.fallback.body)
            return NotificationResult(content: fallback, outcome: .fallback(error))
        }
    }
}

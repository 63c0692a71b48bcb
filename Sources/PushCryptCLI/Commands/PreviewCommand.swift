internal import ArgumentParser
internal import PushCryptReceiver
internal import PushCryptSender

struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Show what the lock screen shows for a sealed payload, including the fallback.",
        discussion: """
            If the message doesn't open, this prints the fallback on standard output and the \
            reason on standard error, and the exit status is 65. --json prints one object with the \
            property names of UNNotificationContent. --html writes one page for a browser, with \
            the original in it: the lock screen beside what Apple and every relay can read.

            Example: pushcrypt preview --signed-by server.jwk sealed.json
            """)

    @OptionGroup var format: ReportFormat

    @Option(
        help: ArgumentHelp(
            "Look up loc-keys in this .strings or .xcstrings file. Default: show the keys.",
            valueName: "file"),
        completion: .file())
    var strings: String?

    @Option(help: "The push type. The system shows alerts only.") var type: PushType = .alert

    @OptionGroup var attachments: AttachmentOptions

    @Flag(help: KeyringOption.mountedHelp) var mounted = false

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var sender: SenderOptions
    @OptionGroup var data: DataOptions

    func validate() throws {
        try PathArgument.check(strings, for: "--strings")
        try sender.check(beside: keyring, data)
        try data.check(beside: [strings])
    }

    func run() throws {
        let table = try strings.map { try Input.strings($0) }
        var configuration = try sender.configuration(with: keyring.file(isMounted: mounted))
        configuration.strings = table
        let delivered = try data.read()
        let shown = present(delivered, in: PushInbox(configuration))
        let attachment = try shown.outcome.push.flatMap { try attachments.load($0) }
        try data.write(
            Array(report(shown, of: delivered, attachment: attachment).utf8), isPrivate: true)
        if let withdrawal = shown.withdrawal {
            let count = withdrawal.collapseIDs.count + withdrawal.threadIDs.count
            Output.hint(
                """
                this removes \(count) targets; with the filtering entitlement, the device displays \
                nothing
                """)
        }
        if shown.outcome.push?.kind == .challenge {
            Output.hint("this asks the device for a proof; the app answers it at its next launch")
        }
        if let failure = shown.outcome.failure {
            Output.error(failure)
            throw ExitStatus.input
        }
    }

    private func report(
        _ shown: Presented, of delivered: [UInt8], attachment: Result<String, PushCryptError>?
    ) throws(PushCryptError) -> String {
        if format.json {
            return PreviewReport.json(shown, delivered: delivered, attachment: attachment)
                + "\n"
        }
        guard format.html else {
            return
                (data.isTerminal
                ? LockScreen.drawing(shown.content) : LockScreen.plainText(shown.content)) + "\n"
        }
        let isOpened = shown.outcome.failure == nil
        let page = try PushPage(
            "A push on the device", shown.content,
            caption: isOpened
                ? "Only the device can read this." : "The device displays the fallback.",
            failure: shown.outcome.failure,
            inspection: try? Inspection(delivered, limit: type.maximumPayloadLength), type: type)
        return page.html
    }

    /// Checks that the push has an alert: no extension sees the pushes of other types.
    private func checkAlert(_ delivered: [UInt8]) throws(PushCryptError) {
        let aps = try? JSONValue(forDisplay: delivered)["aps"]?.objectValue
        let isActivity =
            aps?[PayloadKey.event.rawValue] != nil && aps?[PayloadKey.contentState.rawValue] != nil
        let hasAlert = aps == nil || aps?[PayloadKey.alert.rawValue] != nil
        let found =
            type != .alert ? type : isActivity ? .liveActivity : hasAlert ? .alert : .background
        guard found != .alert else { return }
        try found.checkSealable()
        throw PushCryptError(
            .noAlertText,
            """
            The system shows nothing for this push. Use 'pushcrypt open', as in '--type \
            \(found.rawValue)'.
            """)
    }

    /// Returns the notification on the device, which is the fallback for invalid JSON too.
    private func present(_ delivered: [UInt8], in inbox: PushInbox) -> Presented {
        do throws(PushCryptError) {
            try checkAlert(delivered)
            return inbox.open(try DeliveredNotification(json: delivered, carrier: sender.carrier))
        } catch {
            let body = inbox.configuration.fallback.body
            return Presented(
                NotificationContent(body: body), PushOutcome(.fallback, failure: error))
        }
    }
}

internal import ArgumentParser
internal import PushCryptReceiver
internal import PushCryptSender

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what Apple can read of a payload, and how many bytes are left.",
        discussion: """
            Needs no key. --html writes one page that you can open in a browser and attach to a \
            review: what the lock screen shows without the extension, what Apple and every relay \
            can read, the size, and the findings of 'pushcrypt lint'. The page runs no script and \
            loads nothing.

            Example: pushcrypt inspect --html -o push.html sealed.json
            """)

    @OptionGroup var format: ReportFormat
    @Option(help: "The push type. It decides how many bytes APNs accepts.") var type: PushType =
        .alert

    @OptionGroup var data: DataOptions

    func run() throws {
        let inspection = try Inspection(data.read(), limit: type.maximumPayloadLength)
        try data.write(Array(report(inspection).utf8), isPrivate: false)
        if let problem = inspection.problem { throw problem }
        if inspection.sealedValues.isEmpty {
            Output.warning("the payload is not sealed: Apple can read all of it")
        }
    }

    private func report(_ inspection: Inspection) throws(PushCryptError) -> String {
        if format.json { return try inspection.json() + "\n" }
        guard format.html else { return inspection.text + "\n" }
        let page = try PushPage(
            "A push on its way", DeliveredNotification(json: inspection.bytes).content,
            caption: "The device displays this if no extension opens the push.",
            inspection: inspection, type: type)
        return page.html
    }
}

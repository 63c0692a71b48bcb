internal import ArgumentParser
internal import PushCryptLint
internal import PushCryptSender

struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check a payload: Apple's rules, and sensitive text that stays readable.",
        discussion: """
            A payload with ENCRYPTED_DATA is checked as sealed, any other as an original to be \
            sealed. Standard output gets one line per finding, the worst first: severity, \
            location, message, fix and rule. The exit status is 65 if there is an error. Warnings \
            and notes leave it 0. --rules lists the rules.

            Example: pushcrypt lint --strings Localizable.strings payload.json
            """)

    @Flag(help: "Print one JSON object.") var json = false
    @Flag(help: "Print the table of rules, in Markdown, and check nothing.") var rules = false
    @Flag(help: "Check the size of an original without the 72 bytes of a signature.")
    var anonymous = false

    @Option(
        help: ArgumentHelp(
            "The request header apns-collapse-id, which Apple can read.", valueName: "id"))
    var collapseID: String?

    @Option(
        help: ArgumentHelp(
            "The request header apns-channel-id, for a broadcast to many devices.", valueName: "id")
    )
    var channelID: String?

    @Option(
        help: ArgumentHelp(
            "Check loc-keys and their arguments against this .strings or .xcstrings file.",
            valueName: "file"),
        completion: .file())
    var strings: String?

    @Option(
        help: ArgumentHelp(
            "Check the category against a content extension's Info.plist.", valueName: "file"),
        completion: .file())
    var infoPlist: String?

    @OptionGroup(title: "Message") var sealing: SealingOptions
    @OptionGroup var data: DataOptions

    func validate() throws {
        try PathArgument.check(strings, for: "--strings")
        try PathArgument.check(infoPlist, for: "--info-plist")
        try data.check(beside: [strings, infoPlist])
    }

    func run() throws {
        guard !rules else {
            return try write(json ? JSONText.pretty(LintReport.rulesValue) : LintReport.rulesTable)
        }
        // The length of a signature doesn't depend on the key.
        let sealer = sealing.sealer(anonymous ? .anonymous : .signed(by: try SigningKey()))
        let headers = APNsHeaders(sealing.type, collapseID: collapseID, channelID: channelID)
        try headers.check()
        let strings = try strings.map { try Input.strings($0) }
        let contentExtension = try infoPlist.map {
            try Input.parse($0) { (bytes) throws(PushCryptError) in
                try ContentExtension(parsing: bytes)
            }
        }
        let lint = try sealer.lint(
            json: data.read(), headers: headers, strings: strings,
            contentExtension: contentExtension)
        try write(json ? LintReport.json(lint, sealing.type) : LintReport.text(lint.findings))
        if !json { Output.hint(LintReport.summary(lint)) }
        if lint.findings.contains(where: { $0.rule.severity == .error }) { throw ExitStatus.input }
    }

    /// Writes a report, which replaces the file of an earlier run even if it is empty.
    private func write(_ text: String) throws {
        guard !text.isEmpty || data.output != "-" else { return }
        try data.write(Array((text.isEmpty ? "" : text + "\n").utf8), isPrivate: false)
    }
}

internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptRules
internal import PushCryptSender

/// Checks a payload against all rules.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check a payload: Apple's rules, and sensitive text left in the clear.",
        discussion: """
            A payload with ENCRYPTED_DATA is judged as what travels, any other as an original that is still to be sealed. \
            Standard output gets a line for each finding, the worst first: its severity, its location, the problem, the fix \
            and the name of the rule. Docs/Payloads.md lists the rules. The exit status is 65 if there is an error; \
            warnings and notes leave it 0.
            """)

    @Option(help: "The push type.")
    var type: PushType = .alert

    @Flag(help: "Print the findings as one JSON object.")
    var json = false

    @OptionGroup var expose: ExposeOption

    @Flag(help: "Judge the size of an original as if it were not signed: a signature takes 72 bytes.")
    var anonymous = false

    @Option(
        name: .customLong("collapse-id"),
        help: ArgumentHelp("The request header apns-collapse-id, which everyone on the way reads too.", valueName: "id")
    )
    var collapseID: String?

    @Option(help: ArgumentHelp("A .strings file to check loc-keys and their arguments against.", valueName: "file"))
    var strings: String?

    @Option(
        name: .customLong("info-plist"),
        help: ArgumentHelp(
            "The Info.plist of a notification content extension, to check the category against.", valueName: "file"))
    var infoPlist: String?

    @OptionGroup var truncation: TruncateOption
    @OptionGroup var ignored: IgnoreOption
    @OptionGroup var placeholder: PlaceholderOption
    @OptionGroup var output: OutputOption
    @OptionGroup var input: InputArgument

    func validate() throws {
        try PathArgument.check(strings, for: "--strings")
        try PathArgument.check(infoPlist, for: "--info-plist")
        try output.check(beside: [input.input, strings, infoPlist])
    }

    func run() throws {
        let settings = PayloadLint.Options(
            exposedKeys: try expose.keys(), placeholder: placeholder.placeholder, isSigned: !anonymous,
            truncatableFields: try truncation.fields(), ignoredRules: try ignored.rules(),
            strings: try strings.map { try StringsArgument.read($0) },
            contentExtension: try infoPlist.map { try Self.contentExtension($0) })
        let headers = APNsHeaders(type, collapseID: collapseID)
        try headers.check()
        let review = try PayloadLint(json: input.read(), headers: headers, options: settings)
        let text = json ? try LintReport.json(review, type) : LintReport.text(review)
        // A file of an earlier run must not stay there as if it were the answer.
        if !text.isEmpty || output.output != "-" {
            try output.write(Array((text.isEmpty ? "" : text + "\n").utf8), isPrivate: false)
        }
        if !json { Output.hint(LintReport.summary(review)) }
        if review.findings.contains(where: { $0.rule.severity == .error }) { throw ExitStatus.input }
    }

    private static func contentExtension(_ path: String) throws(PushCryptError) -> ContentExtension {
        let bytes = try Input.read(path)
        do throws(PushCryptError) {
            return try ContentExtension(parsing: bytes)
        } catch {
            throw error.naming(path)
        }
    }
}

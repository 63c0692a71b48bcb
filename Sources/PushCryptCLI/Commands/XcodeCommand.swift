internal import ArgumentParser
internal import Foundation
internal import PushCryptLint
internal import PushCryptSender
internal import PushCryptSystem

struct XcodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xcode",
        abstract: "Write the files of an extension, or check the files of a project.",
        discussion: "Example: pushcrypt xcode check ios",
        subcommands: [XcodeWriteCommand.self, XcodeCheckCommand.self])
}

struct XcodeCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the extension, the entitlements and the keys of a project.",
        discussion: """
            Standard output gets one line per mistake: location, message, fix and rule. The exit \
            status is 65 if there is an error, and 0 if there are warnings alone. Packages, and \
            directories such as Pods and build, are skipped.

            Example: pushcrypt xcode check --payload sealed.json ios
            """)

    @Flag(help: "Print a JSON array.") var json = false
    @Option(
        help: ArgumentHelp("Check that this sealed payload runs the extension.", valueName: "file"),
        completion: .file())
    var payload: String?
    @Argument(
        help: ArgumentHelp("The directory of the project.", valueName: "directory"),
        completion: .directory)
    var directory = "."

    func run() throws {
        var findings = XcodeCheck(try XcodeProject(directory)).findings
        if let payload {
            let lint = try Sealer(.anonymous).lint(
                json: Input.text(payload, maximumLength: 1 << 16))
            guard lint.isSealed else {
                throw PushCryptError(
                    .notSealed, "\(payload) isn't sealed. Give the payload that your server sends.")
            }
            findings += lint.findings.filter { $0.rule.severity == .error }
        }
        if json {
            try Output.line(JSONText.pretty(.array(findings.map(LintReport.value))))
        } else if findings.isEmpty {
            Output.hint("no problems")
        } else {
            try Output.line(LintReport.text(findings))
        }
        if findings.contains(where: { $0.rule.severity == .error }) { throw ExitStatus.input }
    }
}

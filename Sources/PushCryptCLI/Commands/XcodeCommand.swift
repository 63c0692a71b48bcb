internal import ArgumentParser
internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

struct XcodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xcode", abstract: "Write the files of an extension, or check those of a project.",
        discussion: "Example: pushcrypt xcode check ios", subcommands: [XcodeWriteCommand.self, XcodeCheckCommand.self])
}

struct XcodeWriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Write an extension's source, and the Info.plist and entitlements of app and extension.",
        discussion: """
            Without --output, standard output gets each file after its path. The app pins the keys as its roots, \
            those of '--root' first: the first root with a list of accepted keys decides alone.

            Example: pushcrypt xcode write --bundle-id com.example.app --signed-by server.jwk --output .
            Example: pushcrypt xcode write --bundle-id com.example.app --root root.jwk --signed-by server.jwk
            """)

    @OptionGroup var files: XcodeFiles
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The server's public key, or a file with all of them. May be repeated.", valueName: "key"),
        completion: .file())
    var signedBy: [String]
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The public key of an offline root, which comes before the server's keys. May be repeated.",
            valueName: "key"),
        completion: .file())
    var root: [String] = []
    @Option(
        name: [.short, .long], help: ArgumentHelp("Write the files into this directory.", valueName: "directory"),
        completion: .directory)
    var output: String?
    @Flag(help: "With --output: replace the extension's files, such as those of Xcode's template.") var force = false

    func validate() throws { try PathArgument.check(output, for: "--output") }

    func run() throws {
        let contents = try files.contents(serverKeys: roots())
        guard let output else {
            return try Output.line(contents.map { "==> \($0) <==\n\($1)" }.joined(separator: "\n"))
        }
        for (path, _) in contents where !force || !path.hasPrefix("NotificationService/") {
            guard (try? FileManager.default.attributesOfItem(atPath: "\(output)/\(path)")) == nil else {
                let fix =
                    path.hasPrefix("NotificationService/")
                    ? "Replace it with '--force'." : "Run this without '--output', and merge."
                throw PushCryptError(.fileExists, "\(output)/\(path) exists. \(fix) Nothing was written.")
            }
        }
        for (path, text) in contents {
            let directory = FileSystem.directory(of: "\(output)/\(path)")
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try OutputFile.write(Array(text.utf8), to: "\(output)/\(path)", isPrivate: false)
        }
    }
}

extension XcodeWriteCommand {
    /// Reads the keys that the app pins, in the order in which their lists decide.
    private func roots() throws -> [VerificationKey] {
        let offline: [VerificationKey]
        do {
            offline = try KeyArgument.verificationKeys(root, for: "--root")
        } catch let error as PushCryptError where error.code == .fileNotFound {
            throw PushCryptError(
                .fileNotFound,
                """
                \(error.reason.prefix { $0 != ":" }): The file doesn't exist. Create the root on a machine that stays \
                offline, and copy root.jwk: pushcrypt keygen --use sig --keyring root.jwks > root.jwk
                """)
        }
        let keys = try KeyArgument.verificationKeys(signedBy, for: "--signed-by")
        let roots = offline + keys.filter { !offline.contains($0) }
        if roots.count == 1 { Output.hint("only one root is pinned: \(ListCheck.offlineRoot)") }
        return roots
    }
}

struct XcodeCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the extension, the entitlements and the keys of a project.",
        discussion: """
            Standard output gets one line per mistake: location, message, fix and rule. The exit status is 65 if \
            there is one. Packages, and directories such as Pods and build, are skipped.

            Example: pushcrypt xcode check --payload sealed.json ios
            """)

    @Flag(help: "Print a JSON array.") var json = false
    @Option(
        help: ArgumentHelp("Check that this sealed payload runs the extension.", valueName: "file"),
        completion: .file())
    var payload: String?
    @Argument(help: ArgumentHelp("The directory of the project.", valueName: "directory"), completion: .directory)
    var directory = "."

    func run() throws {
        var findings = XcodeCheck(try XcodeProject(directory)).findings
        if let payload {
            let lint = try Sealer(.anonymous).lint(json: Input.text(payload, maximumLength: 1 << 16))
            guard lint.isSealed else {
                throw PushCryptError(.notSealed, "\(payload) isn't sealed. Give the payload that your server sends.")
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
        if !findings.isEmpty { throw ExitStatus.input }
    }
}

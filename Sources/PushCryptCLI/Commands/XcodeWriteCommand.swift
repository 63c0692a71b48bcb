internal import ArgumentParser
internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

struct XcodeWriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract:
            """
            Write an extension's source, and the Info.plist and entitlements of app and extension.
            """,
        discussion: """
            Without --output, standard output gets each file after its path. The app pins the keys \
            as its roots, \
            the keys of '--root' first: the first root with a list of accepted keys decides alone.

            With '--output', existing files are errors. '--force' merges into property lists that \
            exist: settings and the groups of both targets are added, and other values stay, but \
            comments don't. PushCrypt's settings that you don't name again are removed. It \
            replaces the extension's source and the framework's module.

            For a framework, the files of its module are written, too. '--json' prints one object \
            instead: the \
            contents by path, and the settings and entitlements of both targets as values.

            Example: pushcrypt xcode write --bundle-id com.example.app --signed-by server.jwk \
            --output .
            Example: pushcrypt xcode write --bundle-id com.example.app --root root.jwk --signed-by \
            server.jwk
            """)

    @OptionGroup var files: XcodeFiles
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The server's public key, or a file with all of them. May be repeated.",
            valueName: "key"),
        completion: .file())
    var signedBy: [String]
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            The public key of an offline root, which comes before the server's keys. May be \
            repeated.
            """,
            valueName: "key"),
        completion: .file())
    var root: [String] = []
    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write the files into this directory.", valueName: "directory"),
        completion: .directory)
    var output: String?
    @Flag(exclusivity: .exclusive) var framework: XcodeFramework?
    @Option(
        help: ArgumentHelp(
            "With a framework: the URL of the Git repository from which the app gets PushCrypt.",
            valueName: "url"))
    var package: String?
    @Flag(help: "Print one JSON object.") var json = false
    @Flag(
        help:
            "With --output: merge into existing property lists, and replace the extension's source."
    ) var force =
        false

    func validate() throws {
        try PathArgument.check(output, for: "--output")
        let needsPackage = framework?.needsPackage == true
        guard needsPackage == (package != nil) else {
            throw ValidationError(
                needsPackage
                    ? """
                    The package's repository is missing. Give '--package URL', as in your \
                    Package.swift.
                    """
                    : "'--package' requires '--expo', '--react-native' or '--flutter'. Remove it.")
        }
        guard package?.wholeMatch(of: /[a-z]+:\/\/[^\s"\\]+/) != nil || package == nil else {
            throw ValidationError(
                "'--package' isn't a URL. Write it as in 'https://git.example.com/pushcrypt.git'.")
        }
        guard !json || output == nil else {
            throw ValidationError("'--json' prints. Remove '--output'.")
        }
    }

    func run() throws {
        let values = try files.values(serverKeys: roots())
        let contents =
            try framework?.contents(of: values, package: package ?? "") ?? values.contents()
        guard !json else { return try Output.line(values.json(files: contents)) }
        guard let output else {
            return try Output.line(
                contents.map { "==> \($0.path) <==\n\($0.text)" }.joined(separator: "\n"))
        }
        // No file is written unless all can be.
        for file in try contents.map({ try merged($0, in: output) }) {
            let path = "\(output)/\(file.path)"
            try FileManager.default.createDirectory(
                atPath: FileSystem.directory(of: path), withIntermediateDirectories: true)
            try OutputFile.write(Array(file.text.utf8), to: path, isPrivate: false)
        }
    }

    /// Returns the file to write: merged with an existing property list, or in place of an existing
    /// file.
    private func merged(_ file: XcodeFile, in output: String) throws -> XcodeFile {
        let path = "\(output)/\(file.path)"
        guard (try? FileManager.default.attributesOfItem(atPath: path)) != nil else { return file }
        guard force else {
            let fix =
                file.list == nil ? "Replace it with '--force'." : "Merge into it with '--force'."
            throw PushCryptError(.fileExists, "\(path) exists. \(fix) Nothing was written.")
        }
        if let list = file.list {
            return try XcodeFile(
                file.path, PropertyListMerge(values: list).merged(intoFileAt: path))
        }
        guard Self.isReplaceable(file) else {
            throw PushCryptError(
                .fileExists,
                "\(path) exists. Run this without '--output', and merge. Nothing was written.")
        }
        return file
    }

    /// Returns a Boolean value that indicates whether only this command writes the file, or Xcode's
    /// template.
    private static func isReplaceable(_ file: XcodeFile) -> Bool {
        let owned = [
            "NotificationService/", "modules/", "packages/", "plugins/", "PushCrypt",
            "pushcrypt.json",
        ]
        return owned.contains { file.path.contains($0) }
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
                \(error.reason.prefix { $0 != ":" }): The file doesn't exist. Create the root on a \
                machine that stays offline, and copy root.jwk: pushcrypt keygen --use sig \
                --keyring root.jwks > root.jwk
                """)
        }
        let keys = try KeyArgument.verificationKeys(signedBy, for: "--signed-by")
        let roots = offline + keys.filter { !offline.contains($0) }
        if roots.count == 1 { Output.hint("only one root is pinned: \(ListCheck.offlineRoot)") }
        return roots
    }
}

import Foundation
import PushCryptTesting
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Every command refuses an insecure keyring and says how to fix it.
@Suite(.toolThreads, .thorough) struct KeyringRefusalTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createKeyring("good.jwks", of: RecipientPrivateKey.self)
    }

    private var path: String { tool.path(KeyringScenario.file) }

    @Test("A symbolic link is refused") func aLink() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "good.jwks")
        try expectRefusal("Name the file itself.")
    }

    @Test("A pipe is refused") func aPipe() throws {
        #expect(unsafe mkfifo(path, 0o600) == 0)
        try expectRefusal("Name a key file.")
    }

    @Test("A directory is refused") func aDirectory() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try expectRefusal("Name a key file.")
    }

    @Test("A file that other users may use is refused", arguments: [0o640, 0o604, 0o620])
    func aFileThatOtherUsersMayUse(_ mode: Int) throws {
        try FileManager.default.copyItem(atPath: tool.path("good.jwks"), toPath: path)
        try tool.setMode(mode, of: KeyringScenario.file)
        try expectRefusal(
            "Run: chmod 600 \(KeyringScenario.file)",
            by: mode == 0o640 ? Self.commands : [["keygen"]])
    }

    @Test(
        "A file of another user is refused",
        .enabled(if: canGiveFilesAway, "Only root can give a file away."))
    func aFileOfAnotherUser() throws {
        try FileManager.default.copyItem(atPath: tool.path("good.jwks"), toPath: path)
        #expect(unsafe chown(path, 65_534, 65_534) == 0)
        try expectRefusal("Change its owner with chown.")
    }

    /// A Boolean value that indicates whether this process may change the owner of a file, as root
    /// may without a sandbox.
    private static let canGiveFilesAway: Bool = {
        guard let tool = try? Tool(), (try? tool.write("", to: "file")) != nil else { return false }
        return unsafe chown(tool.path("file"), 65_534, 65_534) == 0
    }()

    @Test("A file with a second name is refused") func aFileWithASecondName() throws {
        try FileManager.default.linkItem(atPath: tool.path("good.jwks"), toPath: path)
        try expectRefusal("Remove the other name.")
    }

    @Test("A directory that other users can write to is refused") func aDirectoryOfOtherUsers()
        throws
    {
        try FileManager.default.copyItem(atPath: tool.path("good.jwks"), toPath: path)
        #expect(unsafe chmod(tool.directory.path, 0o777) == 0)
        try expectRefusal("or run: chmod go-w .")
    }

    private static let commands = [
        ["keygen"], ["keygen", "--pending"], ["keygen", "--use", "sig"], ["keys", "list"],
        ["keys", "public"],
        ["keys", "check"], ["keys", "promote"], ["keys", "retire"], ["keys", "prune"],
        ["keys", "prune", "--leaked", "A"],
    ]

    /// Expects that commands refuse the keyring.
    ///
    /// All commands read it with the same function. So most kinds of files are shown to a few
    /// commands only.
    private func expectRefusal(
        _ cure: String,
        by commands: [[String]] = [["keygen"], ["keys", "check"], ["keys", "prune"]]
    ) throws {
        let before = try everything
        for command in commands {
            let run = try tool.run(all: command + ["--keyring", KeyringScenario.file])
            #expect(run.status == (command == ["keys", "check"] ? 65 : 1), "\(command)")
            #expect(run.output.isEmpty, "\(command): \(run.text)")
            #expect(run.errors.hasPrefix("pushcrypt: error: keyring"), "\(command)")
            #expect(run.errors.contains(KeyringScenario.file), "\(command): \(run.errors)")
            #expect(run.errors.contains(cure), "\(command): \(run.errors)")
            #expect(run.errors.hasSuffix(" [insecure-file]\n"), "\(command): \(run.errors)")
        }
        #expect(try everything == before)
    }

    /// The contents of the directory without locks: kind, owner, mode, inode, and contents or
    /// target.
    private var everything: [String: [String]] {
        get throws {
            var result: [String: [String]] = [:]
            for name in try tool.names where !name.hasSuffix(".lock") {
                let path = tool.path(name)
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                let isFile = attributes[.type] as? FileAttributeType == .typeRegular
                let contents = isFile ? try tool.read(name) : ""
                let target =
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
                let keys: [FileAttributeKey] = [
                    .type, .posixPermissions, .ownerAccountID, .systemFileNumber,
                ]
                result[name] = keys.map { "\(attributes[$0] ?? "")" } + [contents, target]
            }
            return result
        }
    }
}

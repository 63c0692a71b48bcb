import Foundation
import PushCryptTesting
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Every command refuses an insecure keyring and says how to fix it.
@Suite(.timeLimit(.minutes(2))) struct KeyringRefusalTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
        _ = try tool.run("keygen", "--keyring", "good.jwks")
        _ = try tool.run("keygen", "--pending", "--keyring", "good.jwks")
    }

    private var path: String { tool.folder.appendingPathComponent(KeyringScenario.file).path }

    @Test("A symbolic link is refused") func aLink() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "good.jwks")
        try expectRefusal("Name the key file itself.")
    }

    @Test("A pipe is refused") func aPipe() throws {
        #expect(unsafe mkfifo(path, 0o600) == 0)
        try expectRefusal("Name a key file.")
    }

    @Test("A directory is refused") func aFolder() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try expectRefusal("Name a key file.")
    }

    @Test("A file that other users may use is refused", arguments: [0o640, 0o604, 0o620])
    func aFileThatOthersMayUse(_ mode: Int) throws {
        try FileManager.default.copyItem(
            atPath: tool.folder.appendingPathComponent("good.jwks").path, toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: mode)], ofItemAtPath: path)
        try expectRefusal("Run: chmod 600 \(KeyringScenario.file)")
    }

    @Test("A file of another user is refused", .enabled(if: geteuid() == 0, "Only root can give a file away."))
    func aFileOfSomebodyElse() throws {
        try FileManager.default.copyItem(
            atPath: tool.folder.appendingPathComponent("good.jwks").path, toPath: path)
        #expect(unsafe chown(path, 65_534, 65_534) == 0)
        try expectRefusal("Change its owner with chown.")
    }

    private func expectRefusal(_ cure: String) throws {
        let before = try everything
        for command in [
            ["keygen"], ["keygen", "--pending"], ["keygen", "--use", "sig"], ["keys", "list"], ["keys", "public"],
            ["keys", "check"], ["keys", "promote"], ["keys", "retire"], ["keys", "prune"],
            ["keys", "prune", "--leaked", "A"],
        ] {
            let run = try tool.run(all: command + ["--keyring", KeyringScenario.file])
            #expect(run.status == (command == ["keys", "check"] ? 65 : 1), "\(command)")
            #expect(run.output.isEmpty, "\(command): \(run.text)")
            #expect(run.errors.hasPrefix("pushcrypt: error: keyring \(KeyringScenario.file): "), "\(command)")
            #expect(run.errors.contains(cure), "\(command): \(run.errors)")
            #expect(run.errors.hasSuffix(" [insecure-file]\n"), "\(command): \(run.errors)")
        }
        #expect(try everything == before)
    }

    /// The contents of the directory without locks: kind, owner, mode, inode, and contents or target.
    private var everything: [String: [String]] {
        get throws {
            var result: [String: [String]] = [:]
            for name in try tool.names where !name.hasSuffix(".lock") {
                let path = tool.folder.appendingPathComponent(name).path
                var status = stat()
                #expect(unsafe lstat(path, &status) == 0)
                let contents = status.st_mode & S_IFMT == S_IFREG ? try tool.read(name) : ""
                let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
                result[name] = ["\(status.st_mode) \(status.st_uid) \(status.st_ino)", contents, target]
            }
            return result
        }
    }
}

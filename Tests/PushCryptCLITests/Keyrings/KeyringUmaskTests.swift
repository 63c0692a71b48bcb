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

/// Files of the tool are accessible to their owner only, with any umask.
@Suite(.toolThreads, .thorough) struct KeyringUmaskTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    @Test(
        "Directories, files and locks are accessible to their owner only",
        arguments: ["000", "277", "777"])
    func filesAreAccessibleToTheirOwnerOnly(_ mask: String) throws {
        try expectPrivateFiles(Self.under(mask))
    }

    // For root, modes have no effect.
    @Test(
        "The same holds for a user other than root",
        .enabled(
            if: Self.canBecomeAnotherUser,
            "Only root can become another user, who must reach the tool."),
        arguments: ["000", "277", "777"])
    func filesOfAnotherUserAreAccessibleToTheirOwnerOnly(_ mask: String) throws {
        #expect(unsafe chmod(tool.directory.path, 0o777) == 0)
        try expectPrivateFiles(Self.asAnotherUser + Self.under(mask))
    }

    @Test("An existing directory keeps its mode") func anExistingDirectoryKeepsItsMode() throws {
        try FileManager.default.createDirectory(
            atPath: tool.path("shared"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: NSNumber(value: 0o755)])
        #expect(try tool.run("keygen", "--keyring", "shared/own/ring.jwks").status == 0)
        #expect(try tool.mode("shared") == 0o755)
        #expect(try tool.mode("shared/own") == 0o700)
    }

    @Test("A directory that cannot be created is an error")
    func aDirectoryThatCannotBeCreatedIsAnError() throws {
        try tool.write("", to: "file")
        let run = try tool.run("keygen", "--keyring", "file/own/ring.jwks")
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(
            run.errors.hasPrefix("pushcrypt: error: keyring file/own/ring.jwks: Cannot examine"),
            "\(run.errors)")
        #expect(try tool.names == ["file"])
    }

    private func expectPrivateFiles(_ launcher: [String]) throws {
        for command in [["keygen"], ["keygen"], ["keygen", "--pending"], ["keys", "promote"]] {
            let run = try tool.run(
                all: command + ["--keyring", "a/b/ring.jwks"], through: launcher)
            #expect(run.status == 0, "\(command): \(run.errors)")
            for (name, mode) in [
                ("a", 0o700), ("a/b", 0o700), ("a/b/ring.jwks", 0o600),
                ("a/b/ring.jwks.lock", 0o600),
            ] {
                #expect(try tool.mode(name) == mode, "\(name) after \(command)")
            }
        }
        let check = try tool.run(
            all: ["keys", "check", "--keyring", "a/b/ring.jwks"], through: launcher)
        #expect(check.errors.contains("is valid: generation 4"), "\(check.errors)")
    }

    private static func under(_ mask: String) -> [String] {
        ["/bin/sh", "-c", "umask \(mask); exec \"$0\" \"$@\""]
    }

    private static let asAnotherUser = [
        "/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--",
    ]

    private static let canBecomeAnotherUser: Bool = {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: asAnotherUser[0]),
            // Through a shell: the change of the user takes effect in the next program.
            let run = try? Tool().run(all: ["--version"], through: asAnotherUser + under("022"))
        else { return false }
        return run.status == 0
    }()
}

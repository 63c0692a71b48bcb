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

/// Files of the tool are accessible to their owner only, with any umask.
@Suite struct KeyringUmaskTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    @Test("Directories, files and locks are accessible to their owner only", arguments: ["000", "022", "277", "777"])
    func foldersFilesAndLocksAreForTheirOwnerAlone(_ mask: String) throws {
        try expectPrivateFiles(Self.under(mask))
    }

    // Root may do what it wants with any mode; others may not.
    @Test(
        "The same holds for a user other than root",
        .enabled(if: Self.canBecomeNobody, "Only root can become somebody else, and that one must reach the tool."),
        arguments: ["000", "022", "277", "777"])
    func theSameForSomebodyWhoIsNotRoot(_ mask: String) throws {
        #expect(unsafe chmod(tool.folder.path, 0o777) == 0)
        try expectPrivateFiles(Self.nobody + Self.under(mask))
    }

    @Test("An existing directory keeps its mode") func aFolderThatIsThereKeepsItsMode() throws {
        try FileManager.default.createDirectory(
            atPath: tool.folder.appendingPathComponent("shared").path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: NSNumber(value: 0o755)])
        #expect(try tool.run("keygen", "--keyring", "shared/own/ring.jwks").status == 0)
        #expect(try tool.mode("shared") == 0o755)
        #expect(try tool.mode("shared/own") == 0o700)
    }

    @Test("A directory that cannot be created is an error") func aFolderThatCannotBeMadeIsAnError() throws {
        try tool.write("", to: "file")
        let run = try tool.run("keygen", "--keyring", "file/own/ring.jwks")
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("pushcrypt: error: keyring file/own/ring.jwks: Cannot"), "\(run.errors)")
        #expect(try tool.names == ["file"])
    }

    private func expectPrivateFiles(_ launcher: [String]) throws {
        for (generation, command) in [["keygen"], ["keygen"], ["keygen", "--pending"], ["keys", "promote"]].enumerated()
        {
            let run = try tool.run(all: command + ["--keyring", "a/b/ring.jwks"], through: launcher)
            #expect(run.status == 0, "\(command): \(run.errors)")
            let check = try tool.run(all: ["keys", "check", "--keyring", "a/b/ring.jwks"], through: launcher)
            #expect(check.errors.contains("is valid: generation \(generation + 1)"), "\(check.errors)")
            for (name, mode) in [("a", 0o700), ("a/b", 0o700), ("a/b/ring.jwks", 0o600), ("a/b/ring.jwks.lock", 0o600)]
            {
                #expect(try tool.mode(name) == mode, "\(name) after \(command)")
            }
        }
    }

    private static func under(_ mask: String) -> [String] {
        ["/bin/sh", "-c", "umask \(mask); exec \"$0\" \"$@\""]
    }

    private static let nobody = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]

    private static let canBecomeNobody: Bool = {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: nobody[0]),
            // With a shell between them: what is given up counts only from the next program on.
            let run = try? Tool().run(all: ["--version"], through: nobody + under("022"))
        else { return false }
        return run.status == 0
    }()
}

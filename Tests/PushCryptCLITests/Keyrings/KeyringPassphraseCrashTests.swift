import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// If `keys passphrase` is killed at any time, the keyring has the old or the new passphrase, and
/// the same keys.
@Suite(.toolThreads, .tracing, .longRun) struct KeyringPassphraseCrashTests {
    private static let old = "old passphrase"
    private static let new = "new passphrase"

    @Test(
        "Adding, changing or removing a passphrase may be killed before any change of a file",
        arguments: [
            (false, ["--new-passphrase-file", "new"]),
            (true, ["--passphrase-file", "old", "--new-passphrase-file", "new"]),
            (true, ["--passphrase-file", "old", "--remove"]),
        ])
    func noPassphraseIsLost(isProtected: Bool, options: [String]) throws {
        let first = try Tool()
        let protect = isProtected ? ["--protect", "--passphrase-file", "old"] : []
        try writePassphrases(in: first)
        #expect(
            try first.run(all: ["keygen", "--keyring", KeyringScenario.file] + protect).status == 0)
        let contents = Data(try first.read(KeyringScenario.file).utf8)
        let before = try keyring(in: first, isProtected ? Self.old : nil)
        let arguments = ["keys", "passphrase", "--keyring", KeyringScenario.file] + options
        let traced = try first.trace(arguments)
        #expect(traced.run.status == 0 && traced.region.filter { $0.name == "fsync" }.count >= 2)

        // Calls that read change nothing on the disk.
        let kinds = [
            "openat", "write", "fchmod", "fsync", "link", "rename", "unlink", "flock", "exit_group",
        ]
        var seen: [Bool] = []
        var leftovers = 0
        for call in traced.region where kinds.contains(call.kind) {
            let tool = try Tool()
            try writePassphrases(in: tool)
            try tool.writeKeyring(contents)
            let run = try tool.run(arguments, meddling: .kill(before: call))
            #expect(run.wasKilled, "killed before \(call)")
            if try tool.names.contains(where: { $0.hasSuffix(".tmp") }) { leftovers += 1 }
            let isNew = try Data(tool.read(KeyringScenario.file).utf8) != contents
            if seen.last != isNew { seen.append(isNew) }
            let passphrase =
                isNew ? (options.last == "new" ? Self.new : nil) : isProtected ? Self.old : nil
            let after = try keyring(in: tool, passphrase)
            #expect(
                after.generation == before.generation && after.ids == before.ids,
                "killed before \(call)")
            #expect(try tool.mode(KeyringScenario.file) == 0o600)
        }
        #expect(seen == [false, true])
        #expect(leftovers > 0)
    }

    private func writePassphrases(in tool: Tool) throws {
        for (name, text) in [("old", Self.old), ("new", Self.new)] {
            try tool.write(text, to: name, mode: 0o600)
        }
    }

    /// Reads the keyring with a passphrase, or without one.
    private func keyring(in tool: Tool, _ passphrase: String?) throws -> Keyring<
        RecipientPrivateKey
    > {
        let path = tool.path(KeyringScenario.file)
        guard let passphrase else { return try KeyringFile(path: path).read() }
        #expect(try tool.read(KeyringScenario.file).hasPrefix(#"{"protection""#))
        let file = KeyringFile<RecipientPrivateKey>(path: path) { () throws(PushCryptError) in
            try Passphrase(Array(passphrase.utf8))
        }
        return try file.read()
    }
}

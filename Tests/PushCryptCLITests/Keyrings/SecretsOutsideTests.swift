#if os(Linux)
import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// A private key is in a process in libsodium's memory alone, which no core dump has; not in its
/// arguments, its environment, the heap, or on the stack.
///
/// A debugger can read all memory. These tests don't cover that.
@Suite(.toolThreads, .longRun) struct SecretsOutsideTests {
    // What a search has found is named before it is expected: an expectation that fails shows all
    // that it is made of, and that would be the whole memory.

    // At the last of each of these calls, which has not been made then. The output is the end: what
    // is left behind then, in freed memory and on the stack, is left behind.
    @Test(
        "No memory dump of a rotation contains a private key", .tracing,
        arguments: ["fsync", "rename", "write"])
    func noDumpOfARotationHasAPrivateKey(_ name: String) throws {
        let scenario = try PreparedScenario(.rotating)
        let call = try #require(try scenario.calls().last { $0.kind == name })
        let tool = try scenario.directory()
        let old = try Secrets(in: tool.read(KeyringScenario.file))
        var image: MemoryImage?
        let run = try tool.run(scenario.arguments, meddling: .stop(at: call)) {
            image = try MemoryImage(of: $0)
        }
        #expect(run.status == 0)
        let (all, found) = (try Secrets(in: tool.read(KeyringScenario.file)), try #require(image))
        #expect(all.needles.count == old.needles.count + 2)
        let isDumped = all.needles.contains { found.dumps($0) }
        #expect(!isDumped, "a private key would be dumped")
        // The search finds what is there; before the last output the keys are gone.
        let isThere = all.needles.contains { found.guards($0) }
        #expect(isThere == (name != "write"), "the search does not find what is there")
    }

    @Test(
        "No memory dump contains the passphrase or the keys under it", .tracing,
        arguments: ["read", "write"])
    func noDumpHasThePassphraseOrTheKeysUnderIt(_ name: String) throws {
        let passphrase = "a passphrase of these tests only"
        let tool = try Tool()
        try tool.write(passphrase + "\n", to: "passphrase", mode: 0o600)
        let scenario = try PreparedScenario(.rotating)
        let contents = try #require(scenario.contents)
        try tool.writeKeyring(contents)
        try tool.protect(KeyringScenario.file, with: passphrase, RecipientPrivateKey.self)
        let arguments = [
            "keys", "list", "--keyring", KeyringScenario.file, "--passphrase-file", "passphrase",
        ]
        let traced = try tool.trace(arguments)
        #expect(traced.run.status == 0)
        let call = try #require(traced.calls.last { $0.kind == name })
        var image: MemoryImage?
        _ = try tool.run(arguments, meddling: .stop(at: call)) { image = try MemoryImage(of: $0) }
        let found = try #require(image)
        let needles =
            [Array(passphrase.utf8)]
            + (try Secrets(in: String(decoding: contents, as: UTF8.self)).needles)
        let isDumped = needles.contains { found.dumps($0) }
        #expect(!isDumped, "a secret would be dumped")
        let isThere = found.guards(needles[0])
        if name == "read" { #expect(isThere, "the search does not find what is there") }
    }

    @Test(
        "No memory dump contains a keyring that is given as a payload", .tracing,
        arguments: [true, false])
    func noDumpHasAKeyringGivenAsAPayload(isWhole: Bool) throws {
        let scenario = try PreparedScenario(.rotating)
        let tool = try scenario.directory()
        let text = try tool.read(KeyringScenario.file)
        try tool.write(isWhole ? text : String(text.dropLast(5)), to: "payload.json")
        let arguments = ["inspect", "payload.json"]
        let traced = try tool.trace(arguments)
        #expect(traced.run.status == 65 && traced.run.errors.contains(" is a key or "))
        // The output is the end: what is left in freed memory then is left.
        let call = try #require(traced.calls.last { $0.kind == "write" })
        var image: MemoryImage?
        _ = try tool.run(arguments, meddling: .stop(at: call)) { image = try MemoryImage(of: $0) }
        let found = try #require(image)
        let isDumped = try Secrets(in: text).needles.contains { found.dumps($0) }
        #expect(!isDumped, "a private key would be dumped")
    }

    @Test("No secret is in arguments, environment or memory while the tool waits")
    func nothingIsInArgumentsEnvironmentOrMemoryWhileTheToolWaits() throws {
        let scenario = try PreparedScenario(.rotating)
        let tool = try scenario.directory()
        let secrets = try Secrets(in: tool.read(KeyringScenario.file))
        let lock = unsafe open(
            tool.path(KeyringScenario.file + ".lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600
        )
        #expect(flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        let run = try tool.run(all: scenario.arguments) { process in
            // However it ends: the tool must not wait for ever.
            defer { flock(lock, LOCK_UN) }
            try Self.waitUntilItWaits(process)
            for name in ["cmdline", "environ"] {
                let text = try Data(kernelFile: "/proc/\(process)/\(name)")
                #expect(text.count > 10, "\(name)")
                let isThere = secrets.needles.contains { text.range(of: Data($0)) != nil }
                #expect(!isThere, "\(name)")
            }
            // It has read the keyring by now, to see what its keys are for, and has forgotten it.
            let image = try MemoryImage(of: process)
            let isThere = secrets.needles.contains { image.dumps($0) || image.guards($0) }
            #expect(!isThere)
        }
        #expect(run.status == 0)
        #expect(try scenario.state(in: tool, "after the wait") == .new)
    }

    /// Waits until a process has opened a lock, which it then waits for.
    static func waitUntilItWaits(_ process: Int32) throws {
        let directory = "/proc/\(process)/fd"
        for _ in 0..<12_000 {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
            let targets = files.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)")
            }
            if targets.contains(where: { $0.hasSuffix(".lock") }) { return }
            usleep(10_000)
        }
        Issue.record("the tool does not wait for the lock")
    }
}
#endif

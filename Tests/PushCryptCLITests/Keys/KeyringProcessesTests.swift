import Foundation
import PushCryptTesting
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Many processes change and read one keyring: every change is stored, and readers see whole
/// keyrings.
@Suite(.toolThreads, .thorough) struct KeyringProcessesTests {
    @Test("Many processes write and read one keyring") func manyWritersAndReadersAtOnce()
        async throws
    {
        let keys = try KeyDirectory()
        let first = try keys.create()
        let sealed = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"first"}}"#.utf8, for: first)
        try keys.tool.write(String(decoding: sealed.payload, as: UTF8.self), to: "push.json")
        let tool = keys.tool
        let runs = try await withThrowingTaskGroup(of: (writes: Bool, run: Tool.Run).self) {
            group in
            for number in 0..<24 {
                group.addTask {
                    let arguments =
                        switch number % 4 {
                        case 0: ["keygen", "--keyring", KeyDirectory.name]
                        case 1: ["keygen", "--pending", "--keyring", KeyDirectory.name]
                        case 2: ["keys", "check", "--keyring", KeyDirectory.name]
                        default: ["open", "--keyring", KeyDirectory.name, "--anyone", "push.json"]
                        }
                    return (number % 4 < 2, try tool.run(all: arguments))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for run in runs { #expect(run.run.status == 0, "\(run.run.errors)") }
        let made = try runs.filter(\.writes).map { try RecipientPublicKey(parsing: $0.run.text) }
        let ring = try keys.ring()
        #expect(ring.generation == 13)
        #expect(Set(ring.keys.map(\.publicKey)) == Set(made + [first]))
        #expect(ring.pending.count == 6 && ring.retired.count == 6)
        #expect(
            try keys.tool.names.isSubset(of: [
                KeyDirectory.name, KeyDirectory.name + ".lock", "push.json",
            ]))
    }

    #if os(Linux)
    @Test("A signing keyring that another process creates meanwhile is not rotated")
    func aSigningKeyringOfAnotherProcessIsNotRotated() throws {
        let tool = try Tool()
        let lock = unsafe open(tool.path("ring.jwks.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        try tool.createKeyring("other.jwks", of: SigningKey.self)
        let other = try tool.read("other.jwks")
        let run = try tool.run(all: ["keygen", "--keyring", "ring.jwks"]) { process in
            defer { flock(lock, LOCK_UN) }
            try SecretsOutsideTests.waitUntilItWaits(process)
            try FileManager.default.moveItem(
                atPath: tool.path("other.jwks"), toPath: tool.path("ring.jwks"))
        }
        #expect(run.status == 1 && run.errors.contains("[wrong-key-type]"), "\(run.errors)")
        #expect(try tool.read("ring.jwks") == other)
    }
    #endif
}

import TestSupport
import Testing

@testable import PushCryptCore

@Suite struct Argon2idTests {
    /// From Python's argon2-cffi: `hash_secret_raw(…, bytes(range(16)), parallelism=1, hash_len=32,
    /// type=Type.ID)`.
    @Test(
        "Another implementation derives the same key",
        arguments: [
            (1, 8, "d17ea6341ca93da6079ea2f64dc4aa31dd1aaf9caa67fb42ac4afd0714706f26"),
            (3, 64, "bc240e180a205bd2e782cdc64983f247e76aeb8fb2133aec1570b70cccd68bff"),
        ])
    func agreesWithAnotherImplementation(operations: Int, kibibytes: Int, key: String) throws {
        let cost = Argon2id.Cost(operations: UInt64(operations), memory: kibibytes << 10)
        let made = try Argon2id.key(
            of: SecretBytes(Array("correct horse battery staple".utf8)), salt: Array(0..<16),
            cost: cost)
        #expect(
            made.copy.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                == key)
    }

    @Test("The cost in a file is limited") func whatAFileMayAskForHasBounds() {
        #expect(Argon2id.Cost.moderate.isAcceptable)
        for (operations, memory) in [(0, 1 << 20), (11, 1 << 20), (1, 8191), (1, 1 << 31), (1, -1)]
        {
            #expect(!Argon2id.Cost(operations: UInt64(operations), memory: memory).isAcceptable)
        }
    }
}

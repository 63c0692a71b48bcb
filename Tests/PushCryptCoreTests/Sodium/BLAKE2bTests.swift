import PushCryptCore
import TestSupport
import Testing

@Suite struct BLAKE2bTests {
    /// From Python: `hashlib.blake2b(bytes(range(message)), key=bytes(range(key)),
    /// digest_size=count).hexdigest()`.
    static let knownAnswers: [(key: Int, count: Int, message: Int, digest: String)] = [
        (16, 16, 0, "083aac7ba77bc664005d821eb8bfa4d9"),
        (32, 24, 3, "c51892f3de9a8638b4dc08868342356e2232205b0c244bcb"),
        (32, 32, 22, "3bef3b7eb3592b8905e0db0bd560b790f9ceba0a18c8a99960fb71d6a4115970"),
        (
            64, 64, 200,
            """
            3095a349d245708c7cf550118703d7302c27b60af5d4e67fc978f8a4e60953c7\
            a04f92fcf41aee64321ccb707a895851552b1e37b00bc5e6b72fa5bcef9e3fff
            """
        ),
        (
            17, 63, 128,
            """
            f86c2bf13c30fa5f17f59aab205edd1b602683951d6deacbb5bf9cb59ed0c131\
            a4a4035436a8812329845d924573efb946d941388e2bde8084087fad649d86
            """
        ),
        (32, 32, 129, "ca60f75cbb714330c046d8f28b4ed351a3ee81776bb02a96abb646fe573e3d5c"),
    ]

    private func key(_ count: Int) throws -> SecretBytes {
        try SecretBytes((0..<count).map { UInt8($0) })
    }

    private func digest(_ bytes: [UInt8], keyedBy key: SecretBytes, count: Int) throws -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: count)
        var room = digest.mutableSpan
        try BLAKE2b.hash(bytes.span, keyedBy: key, into: &room)
        return digest
    }

    @Test("Python computes the same digests", arguments: knownAnswers)
    func hashesAsOthersDo(key: Int, count: Int, message: Int, digest: String) throws {
        let message = (0..<message).map { UInt8($0) }
        #expect(try self.digest(message, keyedBy: self.key(key), count: count) == hex(digest))
    }

    @Test(
        "Python computes the same digests without a key",
        arguments: [
            // `hashlib.blake2b(bytes(range(message)), digest_size=count).hexdigest()`
            (0, "cae66941d9efbd404e4d88758ea67670"), (37, "013208f1c4d50ff42c92f59392f677dc"),
            (129, "aaf1b0371f6d4ee49ee4fb5ddd9c49ef"),
            (37, "ee6a288c4fcae34572fc6dba3e0b7d698bef65dcc63bf28ebd74207a2065718a"),
        ])
    func hashesWithoutAKey(message: Int, digest: String) throws {
        var found = [UInt8](repeating: 0, count: digest.utf8.count / 2)
        try BLAKE2b.hash((0..<message).map { UInt8($0) }, into: &found)
        #expect(found == hex(digest))
    }

    @Test("A key of another length is rejected", arguments: [0, 1, 15, 65, 1000])
    func refusesKeysOfOtherLengths(_ count: Int) throws {
        let key = try SecretBytes([UInt8](repeating: 7, count: count))
        #expect(errorCode { try digest([], keyedBy: key, count: 32) } == .invalidKey)
    }

    @Test("A digest of another length is rejected", arguments: [0, 1, 15, 65, 1000])
    func refusesDigestsOfOtherLengths(_ count: Int) throws {
        let key = try key(32)
        #expect(errorCode { try digest([], keyedBy: key, count: count) } == .invalidKey)
    }
}

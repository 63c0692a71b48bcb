import Foundation
import PushCryptTesting
import Testing

/// The first key of a server's keyring, which apps may pin as their root.
@Suite struct FirstKeyTests {
    @Test("It stays the first of keys that were created in the same second", arguments: [0, 1])
    func firstOfASecond(interval: TimeInterval) throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        var ring = try Keyring<SigningKey>(createdAt: start)
        let first = ring.primary.key.publicKey
        for step in 1...4 {
            let now = start.addingTimeInterval(interval * TimeInterval(step))
            try ring.addPendingKey(at: now)
            #expect(ring.firstKey.publicKey == first)
            try ring.rotate(at: now)
            #expect(ring.firstKey.publicKey == first)
        }
        let rest = ring.unneededKeys(by: [nil]).map(\.key.publicKey)
        #expect(rest.count == 3 && !rest.contains(first))
    }
}

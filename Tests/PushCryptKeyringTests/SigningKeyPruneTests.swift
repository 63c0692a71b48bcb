import Foundation
import PushCryptKeyring
import PushCryptTesting
import Testing

/// The time for which a retired signing key is kept after the last device needed it.
@Suite struct SigningKeyPruneTests {
    private static let day: TimeInterval = 24 * 3600
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// A keyring with a root, a retired key, and a primary key, and the signers of a device that
    /// knows the first two.
    private func keyring() throws -> (
        ring: Keyring<SigningKey>, old: VerificationKey, device: AcceptedSigners
    ) {
        var ring = try Keyring<SigningKey>(createdAt: start)
        try ring.rotate(at: start + Self.day)
        let old = ring.primary.key.publicKey
        let device = try #require(AcceptedSigners(ring.keys.map(\.publicKey)))
        try ring.rotate(at: start + 2 * Self.day)
        return (ring, old, device)
    }

    @Test("A key is destroyed 32 days after the last device needed it") func unneeded() throws {
        let (created, old, device) = try keyring()
        var ring = created
        let current = try #require(AcceptedSigners(ring.keys.map(\.publicKey)))
        #expect(
            try ring.prune(at: start + 60 * Self.day, recipients: [device]).isEmpty,
            "The device needs it.")
        #expect(try ring.prune(at: start + 61 * Self.day, recipients: [current]).isEmpty)
        #expect(try ring.prune(at: start + 92.9 * Self.day, recipients: [current]).isEmpty)
        let removed = try ring.prune(at: start + 93 * Self.day, recipients: [current])
        #expect(removed.map(\.key.publicKey) == [old])
    }

    @Test("After a revocation, the time begins again", arguments: [false, true]) func revocation(
        isPruned: Bool
    ) throws {
        var (ring, old, _) = try keyring()
        let current = try #require(AcceptedSigners(ring.keys.map(\.publicKey)))
        #expect(try ring.prune(at: start + 3 * Self.day, recipients: [current]).isEmpty)
        // Until the next registration, the old key signs for the device.
        try ring.revoke(ring.primary.key.publicKey.keyID, at: start + 30 * Self.day)
        let signer = ring.signers.first { current.contains($0.publicKey) }
        #expect(signer?.publicKey == old)
        let renewed = AcceptedSigners(ring.keys.map(\.publicKey))
        if isPruned {
            #expect(try ring.prune(at: start + 31 * Self.day, recipients: [current]).isEmpty)
        }
        #expect(try ring.prune(at: start + 40 * Self.day, recipients: [renewed]).isEmpty)
        #expect(
            try ring.prune(at: start + 71 * Self.day, recipients: [renewed]).isEmpty,
            "A push may be on its way.")
        #expect(
            try ring.prune(at: start + 72 * Self.day, recipients: [renewed]).map(\.key.publicKey)
                == [old])
    }
}

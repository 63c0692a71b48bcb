import Foundation
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

/// The removal of leaked keys from a server's keyring.
@Suite struct RevocationTests {
    private let root: SigningKeyring
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        root = try SigningKeyring(createdAt: now)
    }

    /// A keyring with so many pending keys.
    private func server(pending: Int) throws -> SigningKeyring {
        var ring = try SigningKeyring(createdAt: now)
        for _ in 0..<pending { try ring.addPendingKey(at: now) }
        return ring
    }

    private func list(of ring: SigningKeyring, after last: SignerList? = nil) throws -> SignerList {
        try root.signerList(of: ring.keys.map(\.publicKey), after: last, at: now)
    }

    @Test("The oldest pending key that devices know replaces a leaked primary key")
    func knownSuccessor() throws {
        var ring = try server(pending: 2)
        let known = ring.pending[1].key.publicKey
        let last = try root.signerList(
            of: [ring.primary.key.publicKey, known], after: nil, at: now)
        let leaked = ring.primary.key.publicKey.keyID
        let effect = try ring.revoke(leaked, at: now + 1, after: last)
        #expect(effect.isChange && effect.newPrimary == known && effect.isKnownToDevices == true)
        #expect(
            ring.primary.key.publicKey == known
                && !ring.keys.contains { $0.publicKey.keyID == leaked })
    }

    @Test(
        "Whether devices know the new primary key is told, or unknown", arguments: [0, 1],
        [false, true])
    func knowledge(pending: Int, hasList: Bool) throws {
        var ring = try server(pending: pending)
        // The list was signed before the pending key was created.
        let last =
            hasList
            ? try root.signerList(of: [ring.primary.key.publicKey], after: nil, at: now) : nil
        let effect = try ring.revoke(ring.primary.key.publicKey.keyID, at: now, after: last)
        #expect(effect.newPrimary == ring.primary.key.publicKey)
        // No device knows a key that has just been created.
        #expect(effect.isKnownToDevices == (pending == 0 || hasList ? false : nil))
    }

    @Test(
        "A pending or retired key is removed, and the primary key stays", arguments: [false, true])
    func otherStates(isRetired: Bool) throws {
        var ring = try server(pending: 1)
        if isRetired { try ring.promote(ring.pending[0].key.publicKey.keyID, at: now) }
        let primary = ring.primary.key.publicKey
        let leaked = try #require(ring.keys.last).publicKey
        let effect = try ring.revoke(leaked.keyID, at: now)
        #expect(effect.isChange && effect.newPrimary == nil && effect.isKnownToDevices == nil)
        #expect(ring.keys.map(\.publicKey) == [primary])
    }

    @Test("A revocation that is repeated before its list is signed changes nothing")
    func repetition() throws {
        var ring = try server(pending: 1)
        let last = try list(of: ring)
        let leaked = ring.primary.key.publicKey.keyID
        try ring.revoke(leaked, at: now, after: last)
        let generation = ring.generation
        #expect(try !ring.revoke(leaked, at: now, after: last).isChange)
        #expect(ring.generation == generation)
        // After the list, the key is unknown.
        let next = try list(of: ring, after: last)
        #expect(errorCode { try ring.revoke(leaked, at: now, after: next) } == .unknownKey)
        #expect(errorCode { try ring.revoke(leaked, at: now) } == .unknownKey)
    }

    @Test("All keys are replaced by one, and a repetition replaces it only if a list has it")
    func all() throws {
        var ring = try server(pending: 2)
        let last = try list(of: ring)
        let effect = try ring.revokeAll(at: now, after: last)
        let new = ring.primary.key.publicKey
        #expect(
            effect.newPrimary == new && effect.isKnownToDevices == false && ring.keys.count == 1)
        #expect(try !ring.revokeAll(at: now + 60, after: last).isChange)
        #expect(ring.primary.key.publicKey == new)
        let next = try list(of: ring, after: last)
        for list in [next, nil] {
            #expect(errorCode { try ring.revokeAll(at: now + 60, after: list) } == .riskyChange)
        }
        #expect(ring.primary.key.publicKey == new)
        // After a day, it is a key like any other.
        #expect(try ring.revokeAll(at: now + 24 * 3600, after: next).isChange)
    }

    @Test("A root isn't revoked with the lists that it signs") func leakedRoot() throws {
        var ring = try server(pending: 0)
        let first = ring.primary.key.publicKey
        try ring.rotate(at: now)
        let last = try ring.signerList(of: ring.keys.map(\.publicKey), after: nil, at: now)
        #expect(last.rootKid == first.kid)
        for list in [last, nil] {
            #expect(
                errorCode { try ring.checkRoot(isNot: [first.keyID], after: list) }
                    == .wrongKeyState)
            try ring.checkRoot(isNot: [ring.primary.key.publicKey.keyID], after: list)
        }
        // The root is the key that signed the last list, which needn't be the first key.
        let other = ring.primary.key
        let own = try SignerList(
            keys: [first], issued: now, expiration: now + 3600, signedBy: Signer(other))
        try ring.checkRoot(isNot: [first.keyID], after: own)
        #expect(
            errorCode { try ring.checkRoot(isNot: [other.publicKey.keyID], after: own) }
                == .wrongKeyState)
    }
}

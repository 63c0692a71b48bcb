import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@Suite struct KeyringPruningTests {
    typealias Ring = Keyring<RecipientPrivateKey>

    let start = Date(timeIntervalSince1970: 1_700_000_000)
    let lifetime: TimeInterval = (30 * 24 + 48) * 3600

    /// A keyring that was rotated at the start and a day later.
    private func ring() throws -> Ring {
        var ring = try Ring(createdAt: start - 100)
        try ring.rotate(at: start)
        try ring.rotate(at: start + 86_400)
        return ring
    }

    @Test("A retired key is kept for 30 days and 48 hours") func aKeyLivesFor30DaysAnd48Hours()
        throws
    {
        #expect(lifetime == 32 * 86_400)
        let ring = try ring()
        #expect(ring.retired.map(\.expiration) == [start + 86_400 + lifetime, start + lifetime])
    }

    @Test("A key expires at the end of its lifetime and not before")
    func aKeyIsDueAtTheEndOfItsTimeAndNotBefore()
        throws
    {
        var ring = try ring()
        let before = try ring.state
        #expect(try ring.expiredKeys(at: start + lifetime - 1).isEmpty)
        #expect(try ring.prune(at: start + lifetime - 1).isEmpty)
        #expect(
            try ring.state == before, "If no key expired, nothing changes, not even the generation."
        )
        let due = try ring.expiredKeys(at: start + lifetime)
        #expect(due.map(\.retired) == [start])
        #expect(try ring.state == before, "A query destroys nothing.")
        let gone = try ring.prune(at: start + lifetime)
        #expect(gone.map(\.key.publicKey) == due.map(\.key.publicKey))
        #expect(ring.generation == 4)
        #expect(ring.retired.map(\.retired) == [start + 86_400])
    }

    @Test("Several keys are destroyed in one change") func severalKeysGoInOneChange() throws {
        var ring = try ring()
        let primary = ring.primary.key.publicKey
        #expect(try ring.prune(at: start + 86_400 + lifetime).count == 2)
        #expect(ring.generation == 4)
        #expect(ring.keys.map(\.publicKey) == [primary], "The primary key is never destroyed.")
    }

    @Test("Pending and primary keys never expire") func pendingAndPrimaryKeysAreNeverDue() throws {
        var ring = try Ring(createdAt: start)
        try ring.addPendingKey(at: start)
        #expect(try ring.expiredKeys(at: start + 700 * 86_400).isEmpty)
    }

    @Test(
        "An implausible clock destroys nothing",
        arguments: [
            Date(timeIntervalSince1970: 0),
            Date(timeIntervalSince1970: -1_000_000),
            Date(timeIntervalSince1970: 1_700_000_000 + 86_400 - 48 * 3600),
            Date(timeIntervalSince1970: 1_700_000_000 + 86_400 + 2 * 365 * 86_400),
            Date(timeIntervalSince1970: 2_147_483_648),
            Date(timeIntervalSince1970: 4_294_967_296),
            Date.distantPast, Date.distantFuture,
        ])
    func nothingIsDestroyedByAClockThatCannotBeRight(now: Date) throws {
        var ring = try ring()
        let before = try ring.state
        #expect(errorCode { try ring.expiredKeys(at: now) } == .implausibleClock)
        #expect(errorCode { try ring.prune(at: now) } == .implausibleClock)
        #expect(try ring.state == before)
    }

    @Test("A clock between both limits is plausible") func aClockIsHeededUpToBothLimits() throws {
        let ring = try ring()
        let last = start + 86_400
        #expect(try ring.expiredKeys(at: last - 48 * 3600 + 1).isEmpty)
        #expect(try ring.expiredKeys(at: last + 2 * 365 * 86_400 - 1).count == 2)
    }

    @Test("The latest date of any key counts as the last change") func theLatestNoteOfAnyKeyCounts()
        throws
    {
        // A date of the primary, a pending or a retired key alone may show that a clock is slow.
        let late = start + 50 * 86_400
        var pending = try ring()
        try pending.addPendingKey(at: late)
        #expect(errorCode { try pending.expiredKeys(at: start + lifetime) } == .implausibleClock)
        var given = try ring()
        let id = try given.addPendingKey(at: start).key.publicKey.keyID
        try given.retire(id, at: late)
        #expect(errorCode { try given.expiredKeys(at: start + lifetime) } == .implausibleClock)
        var rotated = try ring()
        try rotated.rotate(at: late)
        #expect(errorCode { try rotated.expiredKeys(at: start + lifetime) } == .implausibleClock)
    }

    /// A key that is retired while the clock is at 1970 does not expire as soon as the clock is
    /// correct.
    @Test("No step is dated before the last change") func noStepIsDatedBeforeTheLastOne() throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let past = Date(timeIntervalSince1970: 0)
        var ring = try Keyring<RecipientPrivateKey>(createdAt: now)
        try ring.rotate(at: past)
        try ring.addPendingKey(at: past)
        try ring.addPendingKey(at: past)
        try ring.promote(ring.pending[0].key.publicKey.keyID, at: past)
        try ring.retire(ring.pending[0].key.publicKey.keyID, at: past)
        #expect(
            ring.retired.count == 3
                && ring.retired.allSatisfy { $0.retired == now && $0.created == now })
        #expect(try ring.expiredKeys(at: now + lifetime - 1).isEmpty)
        #expect(try ring.expiredKeys(at: now + lifetime).count == 3)
    }
}

import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

/// Each step raises the generation by one, or is rejected and changes nothing.
@Suite struct KeyringLifecycleTests {
    typealias Ring = Keyring<RecipientPrivateKey>

    let start = Date(timeIntervalSince1970: 1_700_000_000)

    /// A keyring with keys in all three states.
    private func ring() throws -> Ring {
        var ring = try Ring(createdAt: start)
        try ring.rotate(at: start + 10)
        try ring.addPendingKey(at: start + 20)
        return ring
    }

    private func id(_ entry: Ring.Entry?) throws -> KeyID {
        try #require(entry).key.publicKey.keyID
    }

    // MARK: Steps

    @Test("A new pending key leaves the primary key in use")
    func aPreparedKeyIsPendingAndThePrimaryStays() throws {
        var ring = try Ring(createdAt: start)
        let primary = try id(ring.primary)
        let fresh = try ring.addPendingKey(at: start + 5)
        #expect(ring.generation == 2)
        #expect(try id(ring.primary) == primary)
        #expect(ring.pending.map(\.key.publicKey) == [fresh.key.publicKey])
        #expect(ring.pending[0].created == start + 5)
        #expect(ring.retired.isEmpty)
        try ring.addPendingKey(at: start + 6)
        #expect(ring.pending.map(\.created) == [start + 5, start + 6], "The newest last.")
    }

    @Test("A promoted key is primary and the old key is retired")
    func aPromotedKeyIsPrimaryAndTheOldOneRetired() throws {
        var ring = try ring()
        let (old, fresh) = (try id(ring.primary), try id(ring.pending.first))
        try ring.promote(fresh, at: start + 30)
        #expect(ring.generation == 4)
        #expect(try id(ring.primary) == fresh)
        #expect(ring.primary.created == start + 20)
        #expect(ring.pending.isEmpty)
        #expect(ring.retiredIDs.first == old)
        #expect(ring.retired[0].created == start + 10 && ring.retired[0].retired == start + 30)
    }

    @Test("The named pending key is promoted") func ofSeveralPendingKeysTheNamedOneIsPromoted()
        throws
    {
        var ring = try ring()
        let other = try id(ring.pending.first)
        let named = try ring.addPendingKey(at: start + 25).key.publicKey.keyID
        try ring.promote(named, at: start + 30)
        #expect(try id(ring.primary) == named)
        #expect(ring.pending.map(\.key.publicKey.keyID) == [other])
    }

    @Test("A retired pending key still opens messages") func aPendingKeyThatIsGivenUpStillOpens()
        throws
    {
        var ring = try ring()
        let (primary, fresh) = (try id(ring.primary), try id(ring.pending.first))
        try ring.retire(fresh, at: start + 30)
        #expect(ring.generation == 4)
        #expect(try id(ring.primary) == primary)
        #expect(ring.pending.isEmpty && ring.retiredIDs.first == fresh)
        #expect(ring.retired[0].created == start + 20 && ring.retired[0].retired == start + 30)
        #expect(try ring.key(for: fresh).publicKey.keyID == fresh)
    }

    @Test("A destroyed key cannot be found") func aDestroyedKeyIsGone() throws {
        var ring = try ring()
        let gone = try #require(ring.retiredIDs.first)
        try ring.destroy(gone)
        #expect(ring.generation == 4)
        #expect(ring.retired.isEmpty)
        #expect(errorCode { try ring.key(for: gone) } == .unknownKey)
    }

    // MARK: Refusals

    @Test("A key in another state is rejected and nothing changes")
    func aKeyInAnotherStateIsRefusedAndNothingChanges()
        throws
    {
        var ring = try ring()
        let (primary, pending) = (try id(ring.primary), try id(ring.pending.first))
        let retired = try #require(ring.retiredIDs.first)
        let before = try ring.state
        for id in [primary, retired] {
            #expect(errorCode { try ring.promote(id, at: start + 30) } == .wrongKeyState)
            #expect(errorCode { try ring.retire(id, at: start + 30) } == .wrongKeyState)
        }
        for id in [primary, pending] {
            #expect(errorCode { try ring.destroy(id) } == .wrongKeyState)
        }
        #expect(try ring.state == before)
    }

    @Test("An unknown key is rejected and nothing changes")
    func anUnknownKeyIsRefusedAndNothingChanges() throws {
        var ring = try ring()
        let stranger = try RecipientPrivateKey().publicKey.keyID
        let before = try ring.state
        #expect(errorCode { try ring.promote(stranger, at: start) } == .unknownKey)
        #expect(errorCode { try ring.retire(stranger, at: start) } == .unknownKey)
        #expect(errorCode { try ring.destroy(stranger) } == .unknownKey)
        #expect(try ring.state == before)
    }

    @Test("The error contains the state of the key") func theErrorSaysTheState() throws {
        var ring = try ring()
        for (id, state) in [
            (try id(ring.primary), "primary"), (try id(ring.pending.first), "pending"),
        ] {
            let error = try #require(thrownError { try ring.destroy(id) })
            #expect(error.reason.contains("is \(state) and cannot be destroyed"))
        }
        let retired = try #require(ring.retiredIDs.first)
        #expect(
            thrownError { try ring.promote(retired, at: start) }?.reason.contains("is retired and")
                == true)
    }

    @Test("At the maximum generation, nothing changes")
    func atTheLastGenerationNothingChangesAnyMore() throws {
        var ring = try Ring.atTheEnd(ring())
        let (primary, pending) = (try id(ring.primary), try id(ring.pending.first))
        let retired = try #require(ring.retiredIDs.first)
        let late = start + 10 + 32 * 86_400
        let before = try ring.state
        #expect(errorCode { try ring.rotate(at: late) } == .malformedKeyring)
        #expect(errorCode { try ring.addPendingKey(at: late) } == .malformedKeyring)
        #expect(errorCode { try ring.promote(pending, at: late) } == .malformedKeyring)
        #expect(errorCode { try ring.retire(pending, at: late) } == .malformedKeyring)
        #expect(errorCode { try ring.destroy(retired) } == .malformedKeyring)
        #expect(errorCode { try ring.prune(at: late) } == .malformedKeyring)
        #expect(try ring.state == before)
        #expect(try id(ring.primary) == primary)
    }

    // MARK: Any order of steps

    @Test("Any order of steps keeps one primary key and counts each change")
    func thereIsAlwaysOnePrimaryAndEachChangeCountsOne() throws {
        // A fixed pattern, so that every step follows every other step.
        var state: UInt64 = 7
        var ring = try Ring(createdAt: start)
        var seen: Set<KeyID> = [try id(ring.primary)]
        let rounds = LongRun.count(60, full: 300)
        for round in 1...rounds {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let now = start + Double(round) * 3600
            let before = (generation: ring.generation, state: try ring.state)
            let keys = Set(ring.keys.map(\.publicKey.keyID))
            let any = ring.keys[Int(state >> 33) % ring.keys.count].publicKey.keyID
            var isLoss = false
            let code = errorCode {
                switch (state >> 60) % 7 {
                case 0: try ring.rotate(at: now)
                case 1: try ring.addPendingKey(at: now)
                case 2: try ring.promote(any, at: now)
                case 3: try ring.retire(any, at: now)
                case 4:
                    isLoss = true
                    try ring.destroy(any)
                default:
                    try ring.promote(any, dated: now, isDateKnown: round.isMultiple(of: 2))
                }
            }
            #expect(code == nil || code == .wrongKeyState)
            #expect(ring.generation == before.generation + (code == nil ? 1 : 0))
            if code != nil { #expect(try ring.state == before.state) }
            let ids = ring.keys.map(\.publicKey.keyID)
            #expect(try ring.primaries == 1)
            #expect(Set(ids).count == ids.count, "No key is in two states.")
            #expect(isLoss || keys.isSubset(of: ids), "Only destroyed keys disappear.")
            seen.formUnion(ids)
        }
        #expect(seen.count > rounds / 6 && ring.generation > rounds / 3)
    }
}

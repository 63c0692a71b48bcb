import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCore
@testable import PushCryptKeyring

/// Watched time, and how a key is retired and destroyed by it.
@Suite struct DeviceKeyringTests {
    typealias Ring = Keyring<RecipientPrivateKey>

    let start = Date(timeIntervalSince1970: 1_700_000_000)
    let day: TimeInterval = 86_400
    let lifetime = KeyLifetime.afterRetirement

    private func ring() throws -> Ring { try Ring(watchedFrom: start, owner: "owner") }

    /// Looks once a day, as an app that is started daily.
    private func look(_ ring: inout Ring, days: ClosedRange<Int>) {
        for number in days { ring.look(at: start + Double(number) * day) }
    }

    /// Prepares a key and promotes it.
    @discardableResult
    private func rotate(_ ring: inout Ring, at clock: Date, serverTime: Date?) throws -> KeyID {
        let old = ring.primary.key.publicKey.keyID
        let fresh = try ring.prepare(at: clock).key.publicKey.keyID
        try ring.promote(fresh, confirmedAt: clock, serverTime: serverTime)
        return old
    }

    @Test func aDevicesKeyringIsWatchedAndOwned() throws {
        let ring = try Ring(watchedFrom: start, owner: "somebody", generation: 7)
        #expect(ring.generation == 7 && ring.owner == "somebody")
        #expect(ring.watch == ElapsedTime(startingAt: start))
        #expect(ring.primary.created == start)
        let read = try Ring(parsing: Array(try ring.state.utf8).span)
        #expect(try read.state == ring.state)
    }

    @Test func aKeyringInPlaceOfTheLastOneCanBeStored() throws {
        let ring = try Ring(watchedFrom: start, owner: "", generation: 1 << 53)
        #expect(errorCode { try Ring(parsing: Array(try ring.state.utf8).span) } == nil)
    }

    @Test func looksChangeNoKeyAndNoGeneration() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: nil)
        let keys = ring.keys.map(\.publicKey)
        for clock in [1, 3600, 86_400 * 900, -86_400 * 900, 7200].map({ start + $0 }) {
            ring.look(at: clock)
            ring.look(at: clock, known: start + 20 * day)
        }
        #expect(ring.generation == 3)
        #expect(ring.keys.map(\.publicKey) == keys)
    }

    @Test func aKeyringThatNobodyWatchedBeginsWithWhatIsNotedInIt() throws {
        // The clock may be past 2038 when the first app looks, and retired keys must not go by that.
        var ring = try Ring(createdAt: start - 10 * day)
        try ring.rotate(at: start)
        ring.look(at: Date(timeIntervalSince1970: 2_200_000_000))
        #expect(ring.watch?.believed == start)
        #expect(try ring.pruneByWatchedTime().isEmpty)
    }

    // MARK: Retirement

    @Test func withoutTheServersTimeAKeyIsRetiredAtTheBelievedTime() throws {
        // Whatever the clock says: off for long, set back, at 1970, ahead, past 2038.
        for clock in [start + 60 * day, start - 40 * day, Date(timeIntervalSince1970: 0), start + 9000 * day] {
            var ring = try ring()
            try rotate(&ring, at: clock, serverTime: nil)
            let believed = try #require(ring.watch?.believed)
            #expect(ring.retired.map(\.retired) == [believed])
            #expect(!ring.retired[0].isDateKnown)
        }
    }

    @Test func withTheServersTimeAKeyIsRetiredAtThatOrLater() throws {
        for clock in [start + 60 * day, start - 40 * day, Date(timeIntervalSince1970: 0), start + 9000 * day] {
            var ring = try ring()
            try rotate(&ring, at: clock, serverTime: start + 50 * day)
            #expect(ring.retired.map(\.retired) == [start + 50 * day])
            #expect(ring.retired[0].isDateKnown)
        }
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start - 50 * day)
        #expect(ring.retired.map(\.retired) == [start], "Never before what is believed.")
    }

    @Test func whereTimeWasMissedTheRetirementMovesAlong() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: nil)
        ring.look(at: start + 3600, known: start + 60 * day)
        #expect(ring.watch?.believed == start + 56 * day)
        #expect(ring.retired[0].retired == start + 56 * day - 3600, "An hour was counted since.")
        #expect(ring.retired[0].created == start)
    }

    @Test func aRetirementThatTheServerDatedStays() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        ring.look(at: start + 3600, known: start + 60 * day)
        #expect(ring.retired[0].retired == start && ring.retired[0].isDateKnown)
    }

    @Test func aClockThatIsSetBackMovesNoRetirement() throws {
        for serverTime in [nil, start] {
            var ring = try ring()
            try rotate(&ring, at: start, serverTime: serverTime)
            ring.look(at: Date(timeIntervalSince1970: 0))
            ring.look(at: start - 60 * day)
            #expect(ring.retired[0].retired == start)
        }
    }

    @Test func howTheDateIsKnownIsStored() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        try rotate(&ring, at: start, serverTime: nil)
        let read = try Ring(parsing: Array(try ring.state.utf8).span)
        #expect(read.retired.map(\.isDateKnown) == [false, true])
        #expect(try read.state == ring.state)
        for value in ["false", "null", "1", "\"true\""] {
            let text = try ring.state.replacingOccurrences(of: #""known":true"#, with: #""known":\#(value)"#)
            #expect(errorCode { try Ring(parsing: Array(text.utf8).span) } == .malformedKeyring)
        }
    }

    // MARK: Destruction

    @Test func aKeyIsDestroyedAtTheEndOfItsTimeAndNotBefore() throws {
        for serverTime in [nil, start] {
            var ring = try ring()
            let old = try rotate(&ring, at: start, serverTime: serverTime)
            look(&ring, days: 1...31)
            ring.look(at: start + lifetime - 1)
            #expect(try ring.pruneByWatchedTime().isEmpty)
            #expect(ring.generation == 3 && ring.retiredIDs == [old])
            ring.look(at: start + lifetime)
            #expect(try ring.pruneByWatchedTime().map(\.key.publicKey.keyID) == [old])
            #expect(ring.generation == 4 && ring.retired.isEmpty)
        }
    }

    @Test func noClockDestroysAKeyByItself() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        for clock in [start + 33 * day, Date(timeIntervalSince1970: 2_147_483_648), .distantFuture] {
            ring.look(at: clock)
            #expect(try ring.pruneByWatchedTime().isEmpty)
        }
    }

    @Test func twoJumpsLeaveAKeyThe30DaysThatAPNsTakes() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: nil)
        // At once to 1970, then right again, then far ahead: two jumps forward.
        ring.look(at: Date(timeIntervalSince1970: 0))
        ring.look(at: start + 1)
        let ahead = 4000 * day
        ring.look(at: start + ahead + 1)
        for number in 1...29 { ring.look(at: start + ahead + Double(number) * day) }
        ring.look(at: start + ahead + 30 * day - 1)
        #expect(try ring.pruneByWatchedTime().isEmpty)
        ring.look(at: start + ahead + 30 * day + 1)
        #expect(try ring.pruneByWatchedTime().count == 1)
    }

    @Test func afterALongSilenceAnAuthenticTimeEndsAKeyThatTheServerDated() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        ring.look(at: start + 100 * day, known: start + lifetime + ElapsedTime.tolerance - 1)
        #expect(try ring.pruneByWatchedTime().isEmpty)
        ring.look(at: start + 100 * day, known: start + lifetime + ElapsedTime.tolerance)
        #expect(try ring.pruneByWatchedTime().count == 1)
    }

    @Test func aKeyringThatNobodyWatchesIsNotPruned() throws {
        var ring = try Ring(createdAt: start - 100 * day)
        try ring.rotate(at: start - 90 * day)
        #expect(try ring.pruneByWatchedTime().isEmpty)
        #expect(ring.retired.count == 1)
    }

    @Test func atTheLastGenerationNothingIsDestroyed() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        ring = try Ring.atTheEnd(ring)
        ring.look(at: start, known: start + 90 * day)
        #expect(errorCode { try ring.pruneByWatchedTime() } == .malformedKeyring)
        #expect(ring.retired.count == 1)
    }

    // MARK: Generation and owner

    @Test func theServersGenerationIsOvertakenOnce() throws {
        var ring = try ring()
        try ring.overtake(0)
        #expect(ring.generation == 1)
        try ring.overtake(1)
        #expect(ring.generation == 2)
        try ring.overtake(1)
        #expect(ring.generation == 2, "It is newer already.")
        try ring.overtake(40)
        #expect(ring.generation == 41)
    }

    @Test func aGenerationThatCannotBeIsNotOvertaken() throws {
        var ring = try ring()
        for known in [1 + (1 << 32), (1 << 53) - 1, .max] as [UInt64] {
            #expect(errorCode { try ring.overtake(known) } == .malformedRegistration)
        }
        #expect(ring.generation == 1)
        try ring.overtake(1 << 32)
        #expect(ring.generation == 1 + (1 << 32))
        var last = try Ring.atTheEnd(ring)
        #expect(errorCode { try last.overtake((1 << 53) - 1) } == .malformedRegistration)
        #expect(errorCode { try Ring(parsing: Array(try last.state.utf8).span) } == nil)
    }

    @Test func aNewOwnerIsAChange() throws {
        var ring = try ring()
        try ring.belong(to: "other")
        #expect(ring.owner == "other" && ring.generation == 2)
    }

    @Test func everythingThatIsStoredMakesADifference() throws {
        let ring = try ring()
        #expect(ring.hasSameContents(as: ring))
        var changes: [Ring] = []
        for change in [
            { (ring: inout Ring) in try ring.rotate(at: start) }, { try $0.prepare(at: start) },
            { _ = $0.look(at: start + 1) }, { try $0.belong(to: "other") }, { try $0.overtake(1) },
        ] {
            var other = ring
            try change(&other)
            changes.append(other)
        }
        for other in changes { #expect(!ring.hasSameContents(as: other)) }
    }
}

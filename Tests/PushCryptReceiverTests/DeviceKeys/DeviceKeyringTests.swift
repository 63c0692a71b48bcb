import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Retirement and destruction of keys by elapsed time.
@Suite struct DeviceKeyringTests {
    typealias Ring = DeviceKeyring

    let start = Date(timeIntervalSince1970: 1_700_000_000)
    let day: TimeInterval = 86_400
    let lifetime: TimeInterval = 32 * 86_400

    private func ring() throws -> Ring { try Ring(observedFrom: start, owner: "owner") }

    /// Observes the clock once a day, as an app that is opened daily.
    private func observe(_ ring: inout Ring, days: ClosedRange<Int>) {
        for number in days { ring.observe(start + Double(number) * day) }
    }

    /// Adds a pending key and promotes it.
    @discardableResult
    private func rotate(_ ring: inout Ring, at clock: Date, serverTime: Date?) throws -> KeyID {
        let old = ring.primary.key.publicKey.keyID
        let fresh = try ring.addPendingKey(at: clock).key.publicKey.keyID
        try ring.confirm(fresh, at: clock, serverTime: serverTime)
        return old
    }

    @Test("The same keys in other states need a greater generation")
    func otherStatesNeedAGreaterGeneration() throws {
        var ring = try ring()
        try ring.addPendingKey(at: start)
        let text = try ring.state
        let other = text.replacingOccurrences(
            of: #""state":"pending""#, with: #""retired":1700000000,"state":"retired""#)
        let changed = try Ring(parsing: Array(other.utf8).span)
        #expect(
            changed.generation == ring.generation && changed.pending.isEmpty
                && changed.retired.count == 1)
        #expect(throws: PushCryptError(.malformedKeyring, "")) {
            try changed.validateReplacement(ring)
        }
        try ring.validateReplacement(Ring(parsing: Array(text.utf8).span))
    }

    @Test("The keyring of a device has an elapsed time and an owner")
    func aDevicesKeyringIsWatchedAndOwned() throws {
        let ring = try Ring(observedFrom: start, owner: "owner")
        #expect(ring.generation == 1 && ring.owner == "owner")
        #expect(ring.elapsedTime == ElapsedTime(startingAt: start))
        #expect(ring.primary.created == start)
        let read = try Ring(parsing: Array(try ring.state.utf8).span)
        #expect(try read.state == ring.state)
    }

    @Test("An observation changes neither keys nor generation")
    func looksChangeNoKeyAndNoGeneration() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: nil)
        let keys = ring.keys.map(\.publicKey)
        for clock in [1, 3600, 86_400 * 900, -86_400 * 900, 7200].map({ start + $0 }) {
            ring.observe(clock)
            ring.observe(clock, answer: start + 20 * day)
        }
        #expect(ring.generation == 3)
        #expect(ring.keys.map(\.publicKey) == keys)
    }

    @Test("The first estimate of an old keyring is its last change")
    func aKeyringThatNobodyWatchedBeginsWithWhatIsNotedInIt() throws {
        // The clock may be past 2038 at the first observation, and must not expire retired keys.
        var ring = try Ring(createdAt: start - 10 * day)
        try ring.rotate(at: start)
        ring.observe(Date(timeIntervalSince1970: 2_200_000_000))
        #expect(ring.elapsedTime?.estimate == start)
        #expect(try ring.destroyExpiredKeys().isEmpty)
    }

    // MARK: Retirement

    @Test("Without a server's time, a key is retired at the estimated time")
    func withoutTheServersTimeAKeyIsRetiredAtTheBelievedTime() throws {
        // For any clock: off for a long time, set back, at 1970, ahead, past 2038.
        for clock in [
            start + 60 * day, start - 40 * day, Date(timeIntervalSince1970: 0), start + 9000 * day,
        ] {
            var ring = try ring()
            try rotate(&ring, at: clock, serverTime: nil)
            let estimate = try #require(ring.elapsedTime?.estimate)
            #expect(ring.retired.map(\.retired) == [estimate])
            #expect(!ring.retired[0].isDateKnown)
        }
    }

    @Test("With a server's time, a key is retired at that time")
    func withTheServersTimeAKeyIsRetiredAtThat() throws {
        for clock in [
            start + 60 * day, start - 40 * day, Date(timeIntervalSince1970: 0), start + 9000 * day,
        ] {
            var ring = try ring()
            try rotate(&ring, at: clock, serverTime: start + 50 * day)
            #expect(ring.retired.map(\.retired) == [start + 50 * day])
            #expect(ring.retired[0].isDateKnown)
        }
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start - 50 * day)
        #expect(
            ring.retired.map(\.retired) == [start - 50 * day]
                && ring.elapsedTime?.estimate == start - 50 * day)
        ring.observe(start, answer: start - 60 * day)
        #expect(
            ring.primary.created == start - 60 * day,
            "Otherwise the key would become old 10 days late.")
    }

    @Test("A retirement moves along with missed time")
    func whereTimeWasMissedTheRetirementMovesAlong() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: nil)
        ring.observe(start + 3600, answer: start + 60 * day)
        #expect(ring.elapsedTime?.estimate == start + 60 * day)
        #expect(
            ring.retired[0].retired == start + 60 * day - 3600,
            "An hour was counted since the retirement.")
        #expect(ring.retired[0].created == start)
    }

    @Test(
        "A server's date that is more than 48 hours before the estimate isn't known",
        arguments: [(0, true), (48 * 3600, true), (48 * 3600 + 1, false)] as [(TimeInterval, Bool)])
    func earlyServerTime(_ seconds: TimeInterval, _ isKnown: Bool) throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start - seconds)
        #expect(ring.retired.map(\.isDateKnown) == [isKnown])
    }

    @Test("A retirement that the server dated does not move")
    func aRetirementThatTheServerDatedStays() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        ring.observe(start + 3600, answer: start + 60 * day)
        #expect(ring.retired[0].retired == start && ring.retired[0].isDateKnown)
    }

    @Test("An answer replaces the estimate and moves retirements without a known date")
    func anAnswerReplacesTheEstimate()
        throws
    {
        for answer in [start + 60 * day, start - 60 * day] {
            var ring = try ring()
            try rotate(&ring, at: start, serverTime: nil)
            ring.observe(start + day, answer: answer)
            #expect(ring.elapsedTime?.estimate == answer)
            #expect(
                ring.retired[0].retired == answer - day, "A day was counted since the retirement.")
        }
    }

    @Test("A clock that is set back moves no retirement")
    func aClockThatIsSetBackMovesNoRetirement() throws {
        for serverTime in [nil, start] {
            var ring = try ring()
            try rotate(&ring, at: start, serverTime: serverTime)
            ring.observe(Date(timeIntervalSince1970: 0))
            ring.observe(start - 60 * day)
            #expect(ring.retired[0].retired == start)
        }
    }

    @Test("The origin of a retirement date is stored") func howTheDateIsKnownIsStored() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        try rotate(&ring, at: start, serverTime: nil)
        let read = try Ring(parsing: Array(try ring.state.utf8).span)
        #expect(read.retired.map(\.isDateKnown) == [false, true])
        #expect(try read.state == ring.state)
        for value in ["false", "null", "1", "\"true\""] {
            let text = try ring.state.replacingOccurrences(
                of: #""known":true"#, with: #""known":\#(value)"#)
            #expect(errorCode { try Ring(parsing: Array(text.utf8).span) } == .malformedKeyring)
        }
    }

    // MARK: Destruction

    @Test("A key is destroyed at the end of its lifetime and not before")
    func aKeyIsDestroyedAtTheEndOfItsTimeAndNotBefore() throws {
        for serverTime in [nil, start] {
            var ring = try ring()
            let old = try rotate(&ring, at: start, serverTime: serverTime)
            observe(&ring, days: 1...31)
            ring.observe(start + lifetime - 1)
            #expect(try ring.destroyExpiredKeys().isEmpty)
            #expect(ring.generation == 3 && ring.retiredIDs == [old])
            ring.observe(start + lifetime)
            #expect(try ring.destroyExpiredKeys().map(\.key.publicKey.keyID) == [old])
            #expect(ring.generation == 4 && ring.retired.isEmpty)
        }
    }

    @Test("No clock destroys a key without elapsed time") func noClockDestroysAKeyByItself() throws
    {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        for clock in [start + 33 * day, Date(timeIntervalSince1970: 2_147_483_648), .distantFuture]
        {
            ring.observe(clock)
            #expect(try ring.destroyExpiredKeys().isEmpty)
        }
    }

    @Test("Two jumps of the clock leave a key 30 days")
    func twoJumpsLeaveAKeyThe30DaysThatAPNsTakes() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: nil)
        // To 1970, then to the correct time, then far ahead: two jumps forward.
        ring.observe(Date(timeIntervalSince1970: 0))
        ring.observe(start + 1)
        let ahead = 4000 * day
        ring.observe(start + ahead + 1)
        for number in 1...29 { ring.observe(start + ahead + Double(number) * day) }
        ring.observe(start + ahead + 30 * day - 1)
        #expect(try ring.destroyExpiredKeys().isEmpty)
        ring.observe(start + ahead + 30 * day + 1)
        #expect(try ring.destroyExpiredKeys().count == 1)
    }

    @Test("An answer expires a key that the server dated")
    func afterALongSilenceAnAuthenticTimeEndsAKeyThatTheServerDated() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        ring.observe(start + 100 * day, answer: start + lifetime - 1)
        #expect(try ring.destroyExpiredKeys().isEmpty)
        ring.observe(start + 100 * day, answer: start + lifetime)
        #expect(try ring.destroyExpiredKeys().count == 1)
    }

    @Test(
        "A wrong answer destroys no key early and keeps none for long",
        arguments: [-12.0, -5000, 365])
    func aWrongAnswerMovesNoDestruction(offset: Double) throws {
        var ring = try ring()
        let dated = try rotate(&ring, at: start, serverTime: start)
        let other = try rotate(&ring, at: start, serverTime: start + offset * day)
        // The next answer is right.
        ring.observe(start + day, answer: start + day)
        var days: [KeyID: Int] = [:]
        for number in 2...40 {
            ring.observe(start + Double(number) * day)
            for key in try ring.destroyExpiredKeys() { days[key.id] = number }
        }
        #expect(days == [dated: 32, other: 32])
    }

    @Test(
        "A server's date that stands still or goes back keeps no key alive",
        arguments: [0.0, -1, -86_400, -1_000_000, 60])
    func standingDateKeepsNoKey(step: Double) throws {
        var ring = try ring()
        let old = try rotate(&ring, at: start, serverTime: start)
        var destroyed: [KeyID: Int] = [:]
        for number in 1...200 {
            let now = start + Double(number) * day
            ring.observe(now)
            for key in try ring.destroyExpiredKeys() { destroyed[key.id] = number }
            ring.observe(now, answer: start + Double(number) * step)
            for key in try ring.destroyExpiredKeys() { destroyed[key.id] = number }
        }
        #expect(destroyed == [old: 32])
        #expect(try #require(ring.primaryAge) == 200 * day)
    }

    @Test("The count is stored, and one that equals the estimate isn't") func countIsStored() throws
    {
        var ring = try ring()
        #expect(try !ring.state.contains("counted"))
        ring.observe(start + day, answer: start)
        try rotate(&ring, at: start + day, serverTime: nil)
        ring.observe(start + 2 * day)
        let read = try Ring(parsing: Array(try ring.state.utf8).span)
        #expect(read.elapsedTime == ring.elapsedTime && read.elapsedTime?.count == start + 2 * day)
        #expect(read.elapsedTime?.marks[ring.retired[0].id] == start + day)
        #expect(try read.state == ring.state)
    }

    @Test("A primary key from the future becomes old in time") func keyFromTheFuture() throws {
        var ring = try ring()
        ring.observe(start, answer: start + 365 * day)
        let fresh = try ring.addPendingKey(at: start + 365 * day)
        // The right answers come before and after the key is promoted.
        ring.observe(start, answer: start)
        try ring.confirm(fresh.key.publicKey.keyID, at: start, serverTime: start)
        ring.observe(start + 3600)
        #expect(ring.primary.created <= start + 3600)
    }

    @Test("A keyring without elapsed time is not pruned")
    func aKeyringThatNobodyWatchesIsNotPruned() throws {
        var ring = try Ring(createdAt: start - 100 * day)
        try ring.rotate(at: start - 90 * day)
        #expect(try ring.destroyExpiredKeys().isEmpty)
        #expect(ring.retired.count == 1)
    }

    @Test("At the maximum generation, nothing is destroyed")
    func atTheLastGenerationNothingIsDestroyed() throws {
        var ring = try ring()
        try rotate(&ring, at: start, serverTime: start)
        ring = try Ring.atTheEnd(ring)
        ring.observe(start, answer: start + 90 * day)
        #expect(errorCode { try ring.destroyExpiredKeys() } == .malformedKeyring)
        #expect(ring.retired.count == 1)
    }

    // MARK: Generation and owner

    private func follow(_ known: UInt64, _ ring: inout Ring) throws(PushCryptError) {
        try ring.followGeneration(known, at: start, lifetime: 604_800)
    }

    @Test("The generation follows the server's generation once")
    func theServersGenerationIsOvertakenOnce() throws {
        var ring = try ring()
        try follow(0, &ring)
        #expect(ring.generation == 1)
        try follow(1, &ring)
        #expect(ring.generation == 2)
        try follow(1, &ring)
        #expect(ring.generation == 2, "The generation is greater already.")
        try follow(40, &ring)
        #expect(ring.generation == 41)
    }

    @Test("A keyring that isn't newer than the server gets a new key")
    func aKeyringThatIsNotNewerGetsANewKey() throws {
        var ring = try ring()
        let first = ring.primary.key.publicKey
        try ring.addPendingKey(at: start)
        let second = try #require(ring.pending.first).key.publicKey
        try follow(1, &ring)
        #expect(
            ring.generation == 2 && ring.pending.map(\.key.publicKey) == [second],
            "The keyring is newer.")
        let before = ring
        try follow(2, &ring)
        #expect(ring.generation == 3 && ring.primary.key.publicKey == first)
        let third = try #require(ring.pending.first).key.publicKey
        #expect(ring.pending.count == 1 && ![first, second].contains(third))
        #expect(ring.retired.map(\.key.publicKey) == [second])
        #expect(ring.pending.first?.lifetime == 604_800)
        try ring.validateReplacement(before)
    }

    @Test("A keyring follows a reset with its own keys") func aKeyringFollowsAResetWithItsOwnKeys()
        throws
    {
        var ring = try ring()
        try follow(1 << 40, &ring)
        let keys = ring.keys.map(\.publicKey)
        try follow(0, &ring)
        #expect(ring.generation == 1 && ring.keys.map(\.publicKey) == keys)
    }

    @Test("Replacements of the keys keep the newest 64 retired keys")
    func replacementsKeepTheNewestRetiredKeys() throws {
        var ring = try ring()
        let primary = ring.primary.key.publicKey
        var pending: [RecipientPublicKey] = []
        for known in 1...100 as ClosedRange<UInt64> {
            try follow(known, &ring)
            pending.append(try #require(ring.pending.first).key.publicKey)
        }
        #expect(ring.primary.key.publicKey == primary && ring.pending.count == 1)
        #expect(ring.retired.map(\.key.publicKey) == pending.dropLast().suffix(64).reversed())
    }

    @Test("A generation from 2^53 − 2^33 is rejected") func aGenerationThatIsTooLargeIsRejected()
        throws
    {
        var ring = try ring()
        let end: UInt64 = (1 << 53) - (1 << 33)
        for known in [end, (1 << 53) - 1, .max] as [UInt64] {
            #expect(errorCode { try follow(known, &ring) } == .malformedRegistration)
        }
        #expect(ring.generation == 1)
        try follow(end - 1, &ring)
        #expect(ring.generation == end)
    }

    @Test("A keyring goes back to a generation that is more than 2^32 lower")
    func aMuchLowerGenerationIsFollowed()
        throws
    {
        var ring = try Ring.atTheEnd(ring())
        let before = ring
        let last = ring.generation
        try follow((1 << 53) - (1 << 33) - 1, &ring)
        #expect(ring.generation == (1 << 53) - (1 << 33))
        try follow(ring.generation - (1 << 32), &ring)
        #expect(ring.generation < last - (1 << 32), "The server accepts this growth.")
        try follow(0, &ring)
        #expect(ring.generation == 1)
        try ring.validateReplacement(before)
        #expect(!ring.hasSameContents(as: before))
    }

    @Test("The lifetime of a key is stored, and 30 days are not") func theLifetimeOfAKeyIsStored()
        throws
    {
        var ring = try Ring(observedFrom: start, owner: "owner", lifetime: 604_800)
        #expect(
            try ring.state.contains(#""created":1700000000,"lifetime":604800,"state":"primary""#))
        try ring.keyring.addPendingKey(dated: start, lifetime: 1)
        try ring.confirm(#require(ring.pending.first).id, at: start, serverTime: start)
        try ring.addPendingKey(at: start)
        let read = try Ring(parsing: Array(try ring.state.utf8).span)
        #expect(try read.state == ring.state)
        #expect(
            [read.primary.lifetime, read.pending[0].lifetime, read.retired[0].lifetime] == [
                1, 2_592_000, 604_800,
            ])
        #expect(read.retired[0].expiration == start + 9 * day)
        for value in ["0", "2592001", "-1", "604800.0", "6e5", "\"604800\"", "null", "true"] {
            let text = try ring.state.replacingOccurrences(
                of: #""lifetime":604800"#, with: #""lifetime":\#(value)"#)
            #expect(errorCode { try Ring(parsing: Array(text.utf8).span) } == .malformedKeyring)
        }
    }

    @Test("A new owner raises the generation") func aNewOwnerIsAChange() throws {
        var ring = try ring()
        try ring.setOwner("other")
        #expect(ring.owner == "other" && ring.generation == 2)
    }

    @Test("Every stored member is compared") func everythingThatIsStoredMakesADifference() throws {
        let ring = try ring()
        #expect(ring.hasSameContents(as: ring))
        var changes: [Ring] = []
        for change in [
            { (ring: inout Ring) in try ring.rotate(at: start) },
            { try $0.addPendingKey(at: start) },
            { _ = $0.observe(start + 1) }, { try $0.setOwner("other") }, { try follow(1, &$0) },
        ] {
            var other = ring
            try change(&other)
            changes.append(other)
        }
        for other in changes { #expect(!ring.hasSameContents(as: other)) }
    }

    @Test("A key's corrected date is a change, even if the clock stands still")
    func correctedDateIsAChange() throws {
        var ring = try ring()
        try ring.addPendingKey(at: start + 86_400)
        let pending = try #require(ring.pending.first)
        try ring.confirm(pending.id, at: start, serverTime: start)
        let before = ring
        #expect(before.primary.created == start + 86_400)
        ring.observe(start, answer: start)
        #expect(ring.primary.created == start)
        #expect(
            ring.elapsedTime?.estimate == start
                && ring.elapsedTime?.clock == before.elapsedTime?.clock)
        #expect(!ring.hasSameContents(as: before))
    }

    // MARK: Refusals

    @Test("A confirmation of a key that isn't pending or isn't there changes no key")
    func otherConfirmations() throws {
        var ring = try ring()
        let retired = try rotate(&ring, at: start, serverTime: nil)
        let before = try ring.state
        for id in [ring.primary.id, retired] {
            try ring.confirm(id, at: start + 30, serverTime: nil)
        }
        let stranger = try RecipientPrivateKey().publicKey.keyID
        #expect(
            thrownError { try ring.confirm(stranger, at: start, serverTime: start) }?.code
                == .unknownKey)
        #expect(try ring.state == before)
    }

    @Test("At the maximum generation, no confirmation and no owner is recorded")
    func maximumGeneration() throws {
        var ring = try ring()
        let pending = try ring.addPendingKey(at: start).id
        ring = try Ring.atTheEnd(ring)
        let before = try ring.state
        #expect(
            thrownError { try ring.confirm(pending, at: start, serverTime: nil) }?.code
                == .malformedKeyring)
        #expect(thrownError { try ring.setOwner("x") }?.code == .malformedKeyring)
        #expect(try ring.state == before)
    }

    @Test("A key that any change retires is counted from its retirement")
    func countBeginsAtTheRetirement() throws {
        var ring = try ring()
        observe(&ring, days: 1...40)
        let old = ring.primary.id
        try ring.rotate(at: start + 40 * day)
        observe(&ring, days: 41...71)
        #expect(try ring.destroyExpiredKeys().isEmpty)
        ring.observe(start + 72 * day)
        #expect(try ring.destroyExpiredKeys().map(\.id) == [old])
    }
}

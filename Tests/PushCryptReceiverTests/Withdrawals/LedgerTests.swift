import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The entries that each call of the ledger keeps.
@Suite struct LedgerTests {
    private typealias Entry = Ledger.Entry

    /// A message of an account that has one message for each identifier.
    private func message(
        _ number: Int, account: UInt8 = 1, issuedAt: UInt64 = 1, end: UInt64 = 100_000,
        as name: String? = nil
    ) -> Entry {
        let name = Array((name ?? "\(number)").utf8)
        var entry = Entry(
            account: [account], target: Ledger.Digest([0] + name), issuedAt: issuedAt, end: end)
        entry.identifier = name
        entry.thread = [9]
        entry.message = Ledger.Digest([7] + Array("\(number)".utf8))
        return entry
    }

    private func withdrawal(_ number: Int, issuedAt: UInt64 = 1, end: UInt64 = 1000) -> Entry {
        let target = Ledger.Digest([0] + Array("\(number)".utf8))
        var entry = Entry(account: [1], target: target, issuedAt: issuedAt, end: end)
        entry.state = .withdrawal
        return entry
    }

    /// Returns whether a notification would be displayed.
    private func shows(_ ledger: Ledger, _ notification: Entry, now: UInt64 = 10) -> Bool {
        var ledger = ledger
        return ledger.shows(notification, now: now)
    }

    private let copy = Ledger.Arrival(isCopy: true)

    // MARK: Withdrawals

    @Test("An earlier withdrawal of the same target changes nothing")
    func earlierWithdrawalChangesNothing() {
        var ledger = Ledger()
        ledger.withdraw(withdrawal(1, issuedAt: 5, end: 100), now: 10)
        ledger.withdraw(withdrawal(1, issuedAt: 3, end: 50), now: 10)
        let left = ledger.entries.filter { $0.state != .free }
        #expect(left == [withdrawal(1, issuedAt: 5, end: 100)])
    }

    @Test("A notification replaces another account's with the same identifier")
    func notificationReplacesAnotherAccounts() {
        var ledger = Ledger()
        _ = ledger.show(message(1), now: 10)
        _ = ledger.show(message(1, account: 2), now: 10)
        #expect(ledger.shownCount == 1)
        ledger.withdraw(withdrawal(1), now: 10)
        #expect(ledger.withdrawn(now: 10).isEmpty)
    }

    @Test("The oldest notification of an account becomes known, and the oldest withdrawal leaves")
    func oldestEntryLeaves() {
        var ledger = Ledger()
        _ = ledger.show(message(9999, account: 2), now: 1)
        for number in 0...500 { _ = ledger.show(message(number), now: UInt64(10 + number)) }
        for number in 1000...1500 {
            ledger.withdraw(withdrawal(number, end: UInt64(1000 + number)), now: 10)
        }
        #expect(ledger.entries.count == 1 + 501 + 500 + 1)
        #expect(ledger.shownCount == 1 + 500)
        let known = ledger.entries.filter { $0.state == .known }
        #expect(known.map(\.name) == ["0"])
        #expect(ledger.entries.contains { $0.name == "1" && $0.state == .shown && $0.time == 11 })
        #expect(!shows(ledger, message(1500)))
        #expect(!ledger.acts(on: message(1000), now: 10))
    }

    /// A ledger whose account has withdrawn 501 targets, each a millisecond later than the one
    /// before.
    private var full: Ledger {
        var ledger = Ledger()
        for number in 0...500 {
            ledger.withdraw(
                withdrawal(number, issuedAt: UInt64(100 + number), end: UInt64(10_000 + number)),
                now: 700)
        }
        return ledger
    }

    @Test("A message that a forgotten withdrawal may have named isn't displayed")
    func forgottenWithdrawalCounts() {
        var ledger = full
        #expect(ledger.show(message(0, issuedAt: 100), now: 700) == .possiblyWithdrawn)
        #expect(ledger.show(message(0, issuedAt: 101), now: 700) == .shown(doubles: []))
    }

    @Test("The limit is the account's own, and ends with the withdrawal") func limitIsTheAccounts()
    {
        var ledger = full
        #expect(shows(ledger, message(9999, account: 2), now: 700))
        #expect(!shows(ledger, message(9999), now: 10_000))
        #expect(shows(ledger, message(9999), now: 10_001))
        ledger.withdraw(withdrawal(501, issuedAt: 601, end: 10_501), now: 700)
        #expect(ledger.entries.count { $0.state != .free } == 500 + 1, "one entry has the limit")
    }

    @Test("A withdrawal that ends at this moment still sets the limit") func lastMomentCounts() {
        var ledger = Ledger()
        for number in 0...500 {
            ledger.withdraw(withdrawal(number, issuedAt: 600, end: 700), now: 700)
        }
        #expect(!shows(ledger, message(9999, issuedAt: 600), now: 700))
        #expect(shows(ledger, message(9999, issuedAt: 600), now: 701))
    }

    @Test("A forgotten withdrawal from the future doesn't shut out later messages")
    func futureWithdrawalGivesWay() {
        var ledger = Ledger()
        for number in 0...500 {
            ledger.withdraw(withdrawal(number, issuedAt: 5000, end: 10_000), now: 700)
        }
        #expect(shows(ledger, message(9999, issuedAt: 701), now: 701))
        #expect(!shows(ledger, message(9999, issuedAt: 700), now: 701))
    }

    @Test("Dropped messages take no room of withdrawals, and set no limit")
    func droppedMessagesHaveTheirOwnRoom() {
        var ledger = Ledger()
        ledger.withdraw(withdrawal(9999), now: 10)
        for number in 0...500 {
            var dropped = withdrawal(number)
            dropped.state = .dropped
            ledger.withdraw(dropped, now: 10)
        }
        #expect(ledger.entries.count == 1 + 500)
        #expect(!shows(ledger, message(9999)))
        #expect(shows(ledger, message(0)))
        #expect(!shows(ledger, message(500)))
    }

    @Test("A copy of a displayed message isn't refused because its key seems older now")
    func copyOfAKnownMessage() {
        var ledger = Ledger(start: 100)
        #expect(
            ledger.show(message(1), Ledger.Arrival(isKeyNewer: { true }), now: 200)
                == .shown(doubles: []))
        #expect(ledger.show(message(1, as: "2"), now: 200) == .shown(doubles: []))
        #expect(ledger.superseded.map(\.name) == ["1"])
        #expect(ledger.show(message(1, account: 2, as: "3"), now: 200) == .possiblyWithdrawn)
        #expect(ledger.show(message(4), now: 200) == .possiblyWithdrawn)
    }

    @Test("No message's ID sets the limit") func noIDSetsTheLimit() {
        var ledger = full
        var dropped = Entry(account: [1], target: .none, issuedAt: 5000, end: 10_000)
        dropped.state = .dropped
        ledger.withdraw(dropped, now: 700)
        #expect(shows(ledger, message(9999, issuedAt: 701), now: 701))
    }

    @Test("A message that is dropped and withdrawn is withdrawn") func droppedMessageIsWithdrawn() {
        var ledger = Ledger()
        var dropped = withdrawal(1)
        dropped.state = .dropped
        ledger.withdraw(dropped, now: 10)
        ledger.withdraw(withdrawal(1), now: 10)
        ledger.withdraw(dropped, now: 10)
        #expect(ledger.entries.count { $0.state == .withdrawal } == 1)
        #expect(ledger.acts(on: message(1), now: 10))
    }

    @Test("A withdrawal stays until its end, and then gives way") func withdrawalStaysUntilItsEnd()
    {
        var ledger = Ledger([withdrawal(1, end: 100)])
        ledger.clear(now: 100)
        ledger.withdraw(withdrawal(2), now: 100)
        #expect(!shows(ledger, message(1), now: 100))
        _ = ledger.show(message(1), now: 101)
        #expect(ledger.entries.map(\.state) == [.shown, .withdrawal])
    }

    // MARK: Known messages

    @Test(
        "A message stays known, whatever takes its place",
        arguments: ["edit", "other content", "tap", "clear", "copy"])
    func messageStaysKnown(change: String) {
        var ledger = Ledger()
        _ = ledger.lookUp(message(1), now: 10)
        _ = ledger.show(message(1), now: 10)
        switch change {
        case "edit": _ = ledger.show(message(2, issuedAt: 2, as: "1"), now: 10)
        case "other content": ledger.leave("1", now: 10)
        case "tap": ledger.settle(now: 10) { $0.name == "1" }
        case "clear": ledger.clear(now: 10)
        default: _ = ledger.show(message(1, as: "copy"), now: 10)
        }
        ledger.withdraw(withdrawal(1), now: 10)
        #expect(ledger.lookUp(message(1, as: "another"), copy, now: 10) == .withdrawn)
        #expect(ledger.show(message(1, as: "another"), copy, now: 10) == .withdrawn)
        // The edit was issued later.
        #expect(!ledger.acts(on: message(2, issuedAt: 2, as: "1"), now: 10))
    }

    @Test("A recorded message that was never displayed is known under its identifier")
    func recordedMessageIsKnown() {
        var ledger = Ledger()
        #expect(ledger.lookUp(message(1), now: 10) == .free)
        ledger.withdraw(withdrawal(1), now: 10)
        #expect(ledger.lookUp(message(1, as: "other"), copy, now: 10) == .withdrawn)
        #expect(ledger.lookUp(message(1, account: 2, as: "other"), copy, now: 10) == .free)
    }

    /// A ledger that has recorded one message more than it has room for, each a millisecond later
    /// than the one before.
    private var crowded: Ledger {
        var ledger = Ledger()
        for number in 0...1500 {
            _ = ledger.lookUp(
                message(number, issuedAt: UInt64(100 + number)), now: UInt64(100 + number))
        }
        return ledger
    }

    @Test("The oldest known message is forgotten, and only copies of that time aren't displayed")
    func oldestKnownMessageIsForgotten() {
        var ledger = crowded
        #expect(ledger.entries.count { $0.state == .known } == 1500)
        for _ in 0..<2 {
            #expect(
                ledger.lookUp(message(0, issuedAt: 100), copy, now: 5000) == .possiblyWithdrawn,
                "not recorded")
        }
        #expect(ledger.lookUp(message(1, issuedAt: 101), copy, now: 5000) == .free)
        #expect(ledger.lookUp(message(8000, issuedAt: 101), copy, now: 5000) == .free)
        #expect(ledger.lookUp(message(0, account: 2, issuedAt: 100), copy, now: 5000) == .free)
        #expect(
            ledger.lookUp(message(9000, issuedAt: 50), now: 5000) == .free,
            "The guard admits it as new.")
    }

    @Test("A forgotten message that is withdrawn isn't only possibly withdrawn")
    func forgottenMessageIsWithdrawn() {
        var ledger = crowded
        ledger.withdraw(withdrawal(0, issuedAt: 5000, end: 10_000), now: 5000)
        #expect(ledger.lookUp(message(0, issuedAt: 100), copy, now: 5000) == .withdrawn)
    }

    @Test("Edits of one notification stay known up to the account's room") func editsStayKnown() {
        var ledger = Ledger()
        for number in 0...1510 {
            let edit = message(number, issuedAt: UInt64(100 + number), as: "edited")
            _ = ledger.lookUp(edit, now: UInt64(100 + number))
            _ = ledger.show(edit, now: UInt64(100 + number))
        }
        #expect(ledger.shownCount == 1)
        #expect(ledger.entries.count { $0.state == .known } == 1500)
        for number in 0...1510 {
            let edit = message(number, issuedAt: UInt64(100 + number), as: "edited")
            let verdict = ledger.lookUp(edit, copy, now: 5000)
            #expect(verdict == (number < 10 ? .possiblyWithdrawn : .free), "\(number)")
        }
    }

    @Test("A forgotten date in the future shuts out nothing later") func forgottenDateInTheFuture()
    {
        var ledger = Ledger()
        for number in 0...1500 {
            _ = ledger.lookUp(message(number, issuedAt: UInt64(5000 + number)), now: 700)
        }
        #expect(ledger.lookUp(message(9000, issuedAt: 700), copy, now: 700) == .possiblyWithdrawn)
        #expect(ledger.lookUp(message(9001, issuedAt: 701), copy, now: 700) == .free)
    }

    @Test("Known messages past their end leave first") func endedMessagesLeaveFirst() {
        var ledger = Ledger()
        // Issued later than the others, but with a shorter lifetime.
        _ = ledger.lookUp(message(9999, issuedAt: 3000, end: 3500), now: 3000)
        for number in 0..<1500 {
            _ = ledger.lookUp(message(number, issuedAt: UInt64(100 + number)), now: 4000)
        }
        #expect(!ledger.entries.contains { $0.state == .forgotten })
        #expect(ledger.lookUp(message(0, issuedAt: 100), copy, now: 4000) == .free)
        #expect(ledger.entries.count { $0.state == .known } == 1500)
    }

    @Test(
        "Notifications that are gone make room for messages that have ended",
        arguments: [true, false])
    func settlingLetsEndedMessagesLeaveFirst(hasEnded: Bool) {
        var ledger = Ledger()
        _ = ledger.show(message(9999, issuedAt: 50), now: 60)
        for number in 0..<1500 {
            let end: UInt64 = hasEnded && number == 1499 ? 3000 : 100_000
            _ = ledger.lookUp(message(number, issuedAt: UInt64(100 + number), end: end), now: 2000)
        }
        ledger.clear(now: 4000)
        #expect(ledger.entries.contains { $0.state == .forgotten } == !hasEnded)
    }

    @Test("The names of copies don't displace a message's first name", arguments: [true, false])
    func namesOfCopiesDontDisplaceTheFirst(isShown: Bool) {
        var ledger = Ledger()
        for number in 0..<2100 {
            let name = message(1, as: "\(number)")
            _ = ledger.lookUp(name, number == 0 ? Ledger.Arrival() : copy, now: 10)
            if isShown { _ = ledger.show(name, copy, now: UInt64(10 + number)) }
        }
        ledger.withdraw(withdrawal(0, issuedAt: 2500, end: 10_000), now: 2500)
        #expect(ledger.lookUp(message(1, as: "last"), copy, now: 2500) != .free)
        #expect(ledger.withdrawn(now: 2500).isEmpty == !isShown, "What is displayed is removed.")
    }

    // MARK: Places

    @Test("An older message of the account doesn't take a newer one's place")
    func olderMessageIsOutdated() {
        var ledger = Ledger()
        let older = message(1, issuedAt: 1, as: "place")
        _ = ledger.show(message(2, issuedAt: 2, as: "place"), now: 10_000)
        #expect(ledger.isOutdated(older, now: 10_000))
        #expect(ledger.show(older, now: 10_000) == .outdated)
        // The list is too early to show the newer one, or it was set back by little.
        for time in [8000, 10_000, 12_000] as [UInt64] {
            #expect(ledger.show(older, after: Ledger.Listing(time: time), now: 12_000) == .outdated)
        }
        #expect(
            ledger.show(message(1, account: 2, issuedAt: 1, as: "other"), now: 10_000)
                == .shown(doubles: []))
        var later = ledger
        #expect(
            later.show(older, after: Ledger.Listing(time: 12_001), now: 12_001)
                == .shown(doubles: []))
        #expect(!later.isOutdated(older, now: 12_001))
        // Another account's newer notification doesn't protect its place.
        #expect(
            ledger.show(message(1, account: 2, issuedAt: 1, as: "place"), now: 10_000)
                == .shown(doubles: []))
    }

    @Test("A newer message that is withdrawn has no place") func withdrawnMessageHasNoPlace() {
        var ledger = Ledger()
        // The newer one came under another identifier, too, which is withdrawn.
        _ = ledger.lookUp(message(2, issuedAt: 2), now: 10)
        _ = ledger.show(message(2, issuedAt: 2, as: "place"), now: 10)
        let older = message(1, issuedAt: 1, as: "place")
        #expect(ledger.isOutdated(older, now: 10))
        ledger.withdraw(withdrawal(2, issuedAt: 2), now: 10)
        #expect(!ledger.isOutdated(older, now: 10))
        #expect(ledger.show(older, now: 10) == .shown(doubles: []))
    }

    /// Returns whether a displayed message would stay in its place, by a list that has it.
    private func keeps(_ ledger: Ledger, _ displayed: Entry, readAt time: UInt64, now: UInt64)
        -> Bool
    {
        var ledger = ledger
        return ledger.keep(displayed, after: Ledger.Listing(time: time), now: now)
    }

    @Test("A kept text has its place again, until the list has it") func keptTextHasItsPlace() {
        var ledger = Ledger()
        let displayed = message(2, issuedAt: 2, as: "place")
        _ = ledger.show(displayed, now: 10)
        ledger.clear(now: 10)
        let isKept = ledger.keep(displayed, after: Ledger.Listing(time: 9000), now: 10_000)
        #expect(isKept)
        #expect(
            ledger.show(message(1, as: "place"), after: Ledger.Listing(time: 9000), now: 10_000)
                == .outdated)
        #expect(ledger.isUnsettled("place", after: Ledger.Listing(time: 12_000), now: 12_000))
        #expect(!ledger.isUnsettled("place", after: Ledger.Listing(time: 12_001), now: 12_001))
        #expect(!ledger.isUnsettled("other", after: nil, now: 10_000))
    }

    @Test(
        "A displayed text is kept unless it's withdrawn, or a newer one has come since the list was read"
    )
    func displayedTextIsKept() {
        var ledger = Ledger()
        let displayed = message(1, as: "place")
        _ = ledger.show(displayed, now: 10)
        #expect(keeps(ledger, displayed, readAt: 10_000, now: 10_000))
        var other = ledger
        _ = other.show(message(2, issuedAt: 2, as: "place"), now: 10_001)
        #expect(!keeps(other, displayed, readAt: 10_000, now: 10_001))
        #expect(keeps(other, displayed, readAt: 12_002, now: 12_002))
        ledger.withdraw(withdrawal(0), now: 10_000)
        #expect(keeps(ledger, displayed, readAt: 10_000, now: 10_000))
        var thread = withdrawal(0, end: 20_000)
        thread.target = [9]
        ledger.withdraw(thread, now: 10_000)
        #expect(!keeps(ledger, displayed, readAt: 10_000, now: 10_000))
    }
}

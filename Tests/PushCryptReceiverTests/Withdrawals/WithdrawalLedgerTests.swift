import PushCryptTesting
import TestSupport
import Testing

/// The entries that each call of the ledger keeps.
@Suite struct WithdrawalLedgerTests {
    private typealias Entry = WithdrawalLedger.Entry

    private func shown(_ number: Int, account: UInt8 = 1, time: UInt64 = 10) -> Entry {
        let name = Array("\(number)".utf8)
        return Entry(account: [account], identifier: name, target: [0] + name, thread: [9], issuedAt: 1, time: time)
    }

    private func withdrawal(_ number: Int, issuedAt: UInt64 = 1, end: UInt64 = 1000) -> Entry {
        Entry(account: [1], target: [0] + Array("\(number)".utf8), issuedAt: issuedAt, time: end)
    }

    /// Returns whether a notification would be displayed.
    private func shows(_ ledger: WithdrawalLedger, _ notification: Entry, now: UInt64 = 10) -> Bool {
        var ledger = ledger
        return ledger.shows(notification, now: now)
    }

    @Test("An earlier withdrawal of the same target changes nothing") func earlierWithdrawalChangesNothing() {
        var ledger = WithdrawalLedger()
        ledger.withdraw(withdrawal(1, issuedAt: 5, end: 100), now: 10)
        ledger.withdraw(withdrawal(1, issuedAt: 3, end: 50), now: 10)
        #expect(ledger.entries == [withdrawal(1, issuedAt: 5, end: 100)])
    }

    @Test("A notification replaces another account's with the same identifier")
    func notificationReplacesAnotherAccounts() {
        var ledger = WithdrawalLedger()
        _ = ledger.show(shown(1), now: 10)
        _ = ledger.show(shown(1, account: 2), now: 10)
        #expect(ledger.shownCount == 1)
        ledger.withdraw(withdrawal(1), now: 10)
        #expect(ledger.withdrawn(now: 10).isEmpty)
    }

    @Test("The oldest entry of an account leaves, and only of its kind") func oldestEntryLeaves() {
        var ledger = WithdrawalLedger()
        _ = ledger.show(shown(9999, account: 2, time: 1), now: 1)
        for number in 0...500 {
            _ = ledger.show(shown(number, time: UInt64(10 + number)), now: 10)
        }
        for number in 1000...1500 { ledger.withdraw(withdrawal(number, end: UInt64(1000 + number)), now: 10) }
        #expect(ledger.entries.count == 1 + 500 + 500 + 1)
        #expect(ledger.shownCount == 1 + 500)
        #expect(!ledger.entries.contains(shown(0, time: 10)))
        #expect(ledger.entries.contains(shown(1, time: 11)))
        #expect(!shows(ledger, shown(1500)))
        #expect(!ledger.isWithdrawn(shown(1000), now: 10))
    }

    /// A ledger whose account has withdrawn 501 targets, each a millisecond later than the one before.
    private var full: WithdrawalLedger {
        var ledger = WithdrawalLedger()
        for number in 0...500 {
            ledger.withdraw(withdrawal(number, issuedAt: UInt64(100 + number), end: UInt64(10_000 + number)), now: 700)
        }
        return ledger
    }

    @Test("A message that a forgotten withdrawal may have named isn't displayed") func forgottenWithdrawalCounts() {
        var ledger = full
        var held = shown(0)
        held.issuedAt = 100
        #expect(ledger.show(held, now: 700) == .possiblyWithdrawn)
        held.issuedAt = 101
        #expect(ledger.show(held, now: 700) == .shown(doubles: []))
    }

    @Test("The limit is the account's own, and ends with the withdrawal") func limitIsTheAccounts() {
        var ledger = full
        #expect(shows(ledger, shown(9999, account: 2), now: 700))
        #expect(!shows(ledger, shown(9999), now: 10_000))
        #expect(shows(ledger, shown(9999), now: 10_001))
        ledger.withdraw(withdrawal(501, issuedAt: 601, end: 10_501), now: 700)
        #expect(ledger.entries.count == 500 + 1, "one entry has the limit")
    }

    @Test("A withdrawal that ends at this moment still sets the limit") func lastMomentCounts() {
        var ledger = WithdrawalLedger()
        for number in 0...500 { ledger.withdraw(withdrawal(number, issuedAt: 600, end: 700), now: 700) }
        var held = shown(9999)
        held.issuedAt = 600
        #expect(!shows(ledger, held, now: 700))
        #expect(shows(ledger, held, now: 701))
    }

    @Test("A forgotten withdrawal from the future doesn't shut out later messages") func futureWithdrawalGivesWay() {
        var ledger = WithdrawalLedger()
        for number in 0...500 { ledger.withdraw(withdrawal(number, issuedAt: 5000, end: 10_000), now: 700) }
        var later = shown(9999)
        later.issuedAt = 701
        #expect(shows(ledger, later, now: 701))
        later.issuedAt = 700
        #expect(!shows(ledger, later, now: 701))
    }

    @Test("Dropped messages take no room of withdrawals, and set no limit") func droppedMessagesHaveTheirOwnRoom() {
        var ledger = WithdrawalLedger()
        ledger.withdraw(withdrawal(9999), now: 10)
        for number in 0...500 {
            var dropped = withdrawal(number)
            dropped.state = .dropped
            ledger.withdraw(dropped, now: 10)
        }
        #expect(ledger.entries.count == 1 + 500)
        #expect(!shows(ledger, shown(9999)))
        #expect(shows(ledger, shown(0)))
        #expect(!shows(ledger, shown(500)))
    }

    @Test("A copy of a displayed message isn't refused because its key seems older now") func copyOfAKnownMessage() {
        var ledger = WithdrawalLedger(start: 100)
        var message = shown(1)
        message.message = [7]
        #expect(ledger.show(message, isKeyNewer: { true }, now: 200) == .shown(doubles: []))
        var copy = shown(2)
        copy.message = [7]
        #expect(ledger.show(copy, now: 200) == .shown(doubles: ["1"]))
        var other = shown(3, account: 2)
        other.message = [7]
        #expect(ledger.show(other, now: 200) == .possiblyWithdrawn)
        #expect(ledger.show(shown(4), now: 200) == .possiblyWithdrawn)
    }

    @Test("No message's ID sets the limit", arguments: [[], [UInt8](repeating: 0, count: 16)] as [[UInt8]])
    func noIDSetsTheLimit(id: [UInt8]) {
        var ledger = full
        var dropped = Entry(account: [1], target: id, issuedAt: 5000, time: 10_000)
        dropped.state = .dropped
        ledger.withdraw(dropped, now: 700)
        var later = shown(9999)
        later.issuedAt = 701
        later.message = [7]
        #expect(shows(ledger, later, now: 701))
    }

    @Test("A message that is dropped and withdrawn is withdrawn") func droppedMessageIsWithdrawn() {
        var ledger = WithdrawalLedger()
        var dropped = withdrawal(1)
        dropped.state = .dropped
        ledger.withdraw(dropped, now: 10)
        ledger.withdraw(withdrawal(1), now: 10)
        ledger.withdraw(dropped, now: 10)
        #expect(ledger.entries == [withdrawal(1)])
    }

    @Test("A withdrawal stays until its end, and then gives way") func withdrawalStaysUntilItsEnd() {
        var ledger = WithdrawalLedger([withdrawal(1, end: 100)])
        ledger.forget { _ in true }
        ledger.withdraw(withdrawal(2), now: 100)
        #expect(!shows(ledger, shown(1), now: 100))
        _ = ledger.show(shown(1), now: 101)
        #expect(ledger.entries == [shown(1), withdrawal(2)])
    }
}

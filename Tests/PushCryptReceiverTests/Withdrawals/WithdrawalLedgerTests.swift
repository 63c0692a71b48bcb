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
        #expect(ledger.entries.count == 1 + 500 + 500)
        #expect(ledger.shownCount == 1 + 500)
        #expect(!ledger.entries.contains(shown(0, time: 10)))
        #expect(ledger.entries.contains(shown(1, time: 11)))
        #expect(!shows(ledger, shown(1500)))
        #expect(shows(ledger, shown(1000)))
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

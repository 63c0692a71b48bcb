import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The file of the ledger, and the removal of notifications from a system that is slow or fails.
@Suite(.ownThread) struct LedgerFileTests {
    private let phone: WithdrawalPhone

    init() throws { phone = try WithdrawalPhone() }

    /// A list from which nothing can be removed.
    private final class StubbornList: DeliveredList {
        let listed: Set<String>
        let removed = LockedValue<[[String]]>([])
        let answers = LockedValue(0)

        init(_ listed: Set<String>) { self.listed = listed }

        func remove(_ identifiers: [String]) { removed.withLock { $0.append(identifiers) } }

        func identifiers() async -> Set<String> {
            answers.withLock { $0 += 1 }
            return listed
        }

        func setBadge(_ count: Int) async {}
    }

    private func show(_ identifier: String, thread: String = "t") throws {
        try phone.deliver(phone.sealed(phone.message("text", thread: thread)), identifier)
    }

    private func withdraw(_ withdrawal: Withdrawal, at date: Date = .example + 1) throws {
        try phone.withdraw(withdrawal, at: date)
    }

    private var removal: NotificationRemoval {
        NotificationRemoval(store: phone.store, countsBadge: false)
    }

    @Test("A thread isn't a collapse ID of the same name") func threadIsNotACollapseID() throws {
        try show("x", thread: "y")
        try withdraw(Withdrawal(collapseIDs: ["y"], threadIDs: ["x"]))
        #expect(try phone.inbox().count() == 1)
        try withdraw(Withdrawal(threadIDs: ["y"]))
        #expect(try phone.inbox().count() == 0, "it's withdrawn, and not removed yet")
    }

    @Test("The file contains no names, and differs between devices") func fileHasNoNames() throws {
        let files = try [phone, WithdrawalPhone()].map { phone in
            try phone.deliver(phone.sealed(phone.message("text", thread: "family")), "a")
            return try #require(phone.scratch.contents(of: "pushcrypt.ledger"))
        }
        // The record of the notification: 65 bytes of its identifier, and then the hashes.
        let hashes = files.map { $0[(8 + 154 + 65)...].prefix(48) }
        #expect(hashes[0] != hashes[1])
        #expect(!String(decoding: files[0], as: UTF8.self).contains("family"))
    }

    @Test("An identifier that APNs wouldn't accept isn't counted") func longIdentifierIsNotCounted()
        throws
    {
        let long = String(repeating: "a", count: 65)
        try show(long)
        #expect(try phone.inbox().count() == 0)
        try show(String(long.dropLast()))
        #expect(try phone.inbox().count() == 1)
        try withdraw(Withdrawal(collapseIDs: [long]))
        #expect(try phone.inbox().count() == 1)
    }

    @Test("The file keeps that the account's withdrawals were too many, and a dropped message")
    func fileKeepsTheLimit() throws {
        let path = phone.scratch.file("ledger")
        var dropped = Ledger.Entry(
            account: [1], target: [2], issuedAt: 3, end: 2000)
        dropped.state = .dropped
        let written = try LedgerFile(path).withLedger(under: nil, now: 1) {
            (ledger, hash) throws(PushCryptError) in
            ledger.withdraw(dropped, now: 1)
            let account = try hash(nil, "one")
            for number in 0...500 {
                let target = try hash(.collapseIDs, "\(number)")
                ledger.withdraw(
                    .init(account: account, target: target, issuedAt: 1, end: 2000), now: 1)
            }
            return ledger.entries
        }
        let read = try LedgerFile(path).withLedger(under: nil, now: 1) { ledger, _ in ledger.entries
        }
        #expect(read.count == 1 + 500 + 1)
        // Without the list of both, which would be long.
        let targets = [read, written].map { Set($0.filter { $0.state != .limit }.map(\.target)) }
        let isSame = targets[0] == targets[1]
        #expect(isSame)
        #expect(read.filter { $0.state == .dropped }.map(\.target) == [dropped.target])
        let later = try LedgerFile(path).withLedger(under: nil, now: 1) {
            (ledger, hash) throws(PushCryptError) in
            let target = try hash(.collapseIDs, "one more")
            ledger.withdraw(
                .init(account: try hash(nil, "one"), target: target, issuedAt: 1, end: 2000), now: 1
            )
            return ledger.entries.count { $0.state == .limit }
        }
        #expect(later == 1)
    }

    @Test("A message that the app drops isn't recorded as withdrawn")
    func droppedMessageHasItsState() throws {
        let done = DispatchSemaphore(value: 0)
        let push = try DeliveredNotification(json: phone.sealed(phone.message("text")))
        phone.inbox().handle(push, shouldShow: { _ in false }) { _ in done.signal() }
        done.wait()
        let file = LedgerFile(phone.scratch.file("pushcrypt.ledger"))
        let states = try file.withLedger(under: nil, now: 1) { ledger, _ in
            ledger.entries.map(\.state)
        }
        #expect(states == [.known, .dropped])
    }

    @Test("A withdrawal of any date is recorded") func withdrawalOfAnyDate() throws {
        try withdraw(Withdrawal(collapseIDs: ["a"]), at: Date(timeIntervalSince1970: 1e300))
        try show("a")
        #expect(phone.shown.isEmpty)
        try withdraw(Withdrawal(collapseIDs: ["b"]), at: Date(timeIntervalSince1970: -1e300))
        try show("b")
        #expect(Set(phone.shown.keys) == ["b"])
    }

    @Test(
        "A notification is removed again until the system has displayed and removed it",
        arguments: [true, false])
    func notificationIsRemovedAgain(isListed: Bool) async throws {
        try show("a")
        try withdraw(Withdrawal(collapseIDs: ["a"]))
        // Still listed after its display, or not listed before it.
        if isListed { phone.clock.advance(by: 10) }
        let list = StubbornList(isListed ? ["a"] : [])
        let removal = removal
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await removal.run(on: list)
        }
        task.cancel()
        try await task.value
        #expect(list.answers.withLock { $0 } == 1, "a canceled removal doesn't go on")
        try removal.begin(on: list)
        #expect(list.removed.withLock { $0 } == [["a"], ["a"]])
        phone.clock.advance(by: 10)
        try await removal.run(on: StubbornList([]))
        try removal.begin(on: list)
        #expect(list.removed.withLock { $0.count } == 2, "nothing is left")
    }

    @Test("The badge stays if the device doesn't count it") func badgeStays() throws {
        try show("a")
        phone.clock.advance(by: 10)
        try phone.deliver(phone.sealed(#"{"collapse-ids":["a"]}"#, at: 10), "w")
        #expect(phone.shown.isEmpty)
        #expect(phone.badge == nil)
    }

    @Test("A withdrawal that is opened again acts") func reopenedWithdrawalActs() throws {
        try show("a")
        let payload = try phone.sealed(#"{"thread-ids":["t"]}"#, at: 10)
        phone.display(NotificationContent(body: "(Encrypted)"), "w")
        let fallback = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
                ?? [:], identifier: "w")
        #expect(phone.reopen([fallback]).allSatisfy { $0 == nil })
        #expect(phone.shown.isEmpty)
        try show("late")
        #expect(phone.shown.isEmpty)
    }

    @Test("A text isn't displayed again together with its withdrawal")
    func withdrawalActsInTheSameBatch() throws {
        let payloads = [
            try phone.sealed(phone.message("a")),
            try phone.sealed(#"{"thread-ids":["t"]}"#, at: 10),
        ]
        phone.clock.advance(by: 10)
        let displayed = try zip(["a", "w"], payloads).map { identifier, payload in
            let fallback = NotificationContent(body: "(Encrypted)")
            phone.display(fallback, identifier)
            return DeliveredNotification(
                content: fallback, userInfo: try systemDictionary(payload), identifier: identifier)
        }
        let results = phone.reopen(displayed)
        #expect(results.count == 2 && results.allSatisfy { $0 == nil })
        #expect(phone.shown.isEmpty)
    }

    @Test("The delivery log counts a message that was withdrawn before it came")
    func logCountsALateMessage() throws {
        try withdraw(Withdrawal(threadIDs: ["t"]))
        let inbox = phone.inbox()
        let done = DispatchSemaphore(value: 0)
        inbox.handle(
            try DeliveredNotification(json: phone.sealed(phone.message("late"))),
            log: { if $0.outcome != nil { done.signal() } },
            handler: { content in #expect(!content.hasText) })
        done.wait()
        phone.clock.advance(by: 100)
        let summary = try JSONSerialization.jsonObject(with: JSONEncoder().encode(inbox.summary()))
        #expect((summary as? [String: Any])?["dropped"] as? Int == 1)
    }

    @Test("A clock that is set back doesn't keep a removed notification") func clockIsSetBack()
        async throws
    {
        try show("a")
        try withdraw(Withdrawal(collapseIDs: ["a"]))
        phone.clock.advance(by: -3600)
        let list = StubbornList([])
        try await removal.run(on: list)
        #expect(list.answers.withLock { $0 } == 1)
        #expect(try phone.inbox().count() == 0)
    }

    @Test("A damaged file is reset with an error, and works afterwards")
    func damagedFileIsReported() throws {
        try withdraw(Withdrawal(collapseIDs: ["a"]))
        try damage(at: 0)
        #expect(throws: PushCryptError(.fileSystemError, "")) {
            try withdraw(Withdrawal(collapseIDs: ["b"]))
        }
        try show("b")
        #expect(phone.shown.isEmpty, "the withdrawal that met the damage acts")
        try show("a")
        #expect(Set(phone.shown.keys) == ["a"], "the earlier one is lost")
    }

    @Test(
        "A damaged length doesn't prolong an identifier", arguments: [65, 66, 128, 255] as [UInt8])
    func damagedLengthIsNotBelieved(length: UInt8) throws {
        let longest = String(repeating: "a", count: 64)
        try show(longest)
        try damage(at: 8 + 154, with: length)
        let list = StubbornList([])
        try withdraw(Withdrawal(collapseIDs: [longest]))
        try removal.begin(on: list)
        #expect(list.removed.withLock { $0 } == [[longest]])
    }

    private func damage(at offset: Int, with byte: UInt8 = 0) throws {
        var bytes = try #require(phone.scratch.contents(of: "pushcrypt.ledger"))
        bytes[offset] = byte
        try Data(bytes).write(to: URL(fileURLWithPath: phone.scratch.file("pushcrypt.ledger")))
    }
}

import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The order of the last steps: after the content handler, the system may suspend or end the
/// process.
@Suite(.ownThread) struct EndOfTheExtensionTests {
    private let phone: DisplayPhone

    init() throws { phone = try DisplayPhone() }

    /// The contents of all files that the extension uses.
    private var files: [String: [UInt8]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: phone.scratch.path)) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, phone.scratch.contents(of: $0) ?? []) })
    }

    @Test("When the content handler is called, all files are written and no lock is held")
    func everythingIsWrittenBeforeTheHandOver() throws {
        let reported = DispatchSemaphore(value: 0)
        let atTheHandOver = LockedValue<[String: [UInt8]]>([:])
        let outcomes = LockedValue<[PushOutcome.Kind]>([])
        let notification = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: try systemDictionary(phone.sealed(phone.message("Hi"))), identifier: "1")
        let message = GuardedMessage(
            id: try GuardFile.id(1), issuedAt: .example + 1, expiration: .example + 100)
        let log: @Sendable (PushEvent) -> Void = { if $0.outcome != nil { reported.signal() } }
        phone.inbox.handle(notification, log: log) { [phone] _ in
            atTheHandOver.withLock { $0 = files }
            // A lock that is still held would make these fail after 50 ms.
            let entries = try? phone.store.deliveryLog.entries()
            outcomes.withLock { $0 = (entries ?? []).map(\.outcome) }
            #expect(throws: Never.self) { try phone.inbox.count() }
            #expect((try? phone.store.backgroundGuard.admit(message, now: .example + 1)) == .new)
        }
        reported.wait()
        #expect(outcomes.withLock { $0 } == [.opened])
        // Nothing is written afterwards.
        var before = atTheHandOver.withLock { $0 }
        before["pushcrypt.background"] = files["pushcrypt.background"]
        #expect(files == before)
    }

    @Test("If the secrets can't be read in time, the fallback is displayed at the deadline")
    func hangingSecretsDoNotHoldTheHandOver() throws {
        final class Hanging: DeviceSecretsStore {
            let isAsked = DispatchSemaphore(value: 0)
            let mayEnd = DispatchSemaphore(value: 0)

            func secrets() throws -> DeviceSecrets? {
                isAsked.signal()
                mayEnd.wait()
                mayEnd.signal()
                return nil
            }

            func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets { secrets }
        }
        let hanging = Hanging()
        defer { hanging.mayEnd.signal() }
        let inbox = phone.inbox { $0.secrets = hanging }
        let shown = LockedValue<[String]>([])
        let notification = DeliveredNotification(
            content: NotificationContent(body: "delivered"),
            userInfo: try systemDictionary(phone.sealed(phone.message("Hi"))), identifier: "1")
        inbox.handle(notification) { content in shown.withLock { $0.append(content.body) } }
        hanging.isAsked.wait()
        phone.clock.advance(by: 20)
        #expect(shown.withLock { $0 } == ["(Encrypted)"])
    }

    /// The moments at which the system ends the process, and the entry that the log has after the
    /// app has read the displayed notification.
    @Test(
        "A kill at each step leaves the right entry after the app has read the notification",
        arguments: [
            (DisplayPhone.Kill.atTheStart, PushOutcome.Kind.notRun), (.afterOpening, .unfinished),
            (.beforeTheHandOver, .unfinished), (.afterTheHandOver, .opened), (.never, .opened),
        ])
    func killAtEachStep(kill: DisplayPhone.Kill, expected: PushOutcome.Kind) throws {
        let payload = try phone.sealed(phone.message("Hi"))
        let log = phone.store.deliveryLog
        if kill == .afterOpening {
            // The process has recorded its beginning.
            _ = try log.begin(
                DeliveredNotification(
                    content: NotificationContent(), userInfo: systemDictionary(payload)))
        }
        try phone.deliver(payload, "1", kill: kill)
        let shown = try #require(phone.shown("1"))
        for _ in 0..<2 {
            try log.recordDelivered(shown.delivered, at: shown.date)
            #expect(try log.entries().map(\.outcome) == [expected])
        }
    }

    @Test("An unfinished entry of a displayed text is corrected") func unfinishedEntryIsCorrected()
        throws
    {
        try phone.deliver(phone.sealed(phone.message("Hi")), "1")
        let shown = try #require(phone.shown("1"))
        let log = phone.store.deliveryLog
        try log.clear()
        _ = try log.begin(shown.delivered)
        try log.recordDelivered(shown.delivered, at: shown.date)
        #expect(try log.entries().map(\.outcome) == [.opened])
    }

    @Test("A copy of another time corrects nothing") func copyOfAnotherTimeCorrectsNothing() throws
    {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        phone.clock.advance(by: 31)
        let copy = try phone.displayUnchanged(
            payload, "2", as: NotificationContent(body: "An attacker's text"))
        try phone.store.deliveryLog.recordDelivered(copy.delivered, at: copy.date)
        #expect(try phone.store.deliveryLog.entries().map(\.outcome) == [.opened])
    }

    @Test(
        "Before the first unlock, the log has times and outcomes only, and finds no missing extension"
    )
    func logBeforeTheFirstUnlock() throws {
        struct Locked: DeviceSecretsStore {
            func secrets() throws -> DeviceSecrets? { throw PushCryptError(.deviceLocked, "") }
            func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets {
                throw PushCryptError(.deviceLocked, "")
            }
        }
        let locked = SharedStore(
            directory: phone.scratch.path, secrets: Locked(), time: phone.clock)
        let notification = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: try systemDictionary(phone.sealed(phone.message("Hi"))), identifier: "1")
        let outcome = PushOutcome(.fallback, failure: PushCryptError(.deviceLocked, ""))
        let begun = try locked.deliveryLog.begin(notification)
        try locked.deliveryLog.end(begun, notification, outcome: outcome)
        let log = phone.store.deliveryLog
        #expect(try log.entries().map(\.fingerprint) == [nil])
        #expect(try log.entries().map(\.outcome) == [.fallback])
        try log.recordDelivered(notification, at: phone.clock.now + 5)
        #expect(try log.entries().count == 1)
        try log.recordDelivered(notification, at: phone.clock.now + 60)
        #expect(try log.entries().map(\.outcome) == [.fallback, .notRun])
    }

    @Test("Hashes differ between devices") func hashesDifferBetweenDevices() throws {
        let other = try DisplayPhone()
        let payload = try phone.sealed(phone.message("Hi"))
        for phone in [phone, other] { try phone.deliver(payload, "1") }
        let hashes = try [phone, other].map {
            try $0.store.deliveryLog.entries().first?.fingerprint
        }
        #expect(hashes[0] != nil && hashes[0] != hashes[1])
    }

    @Test("Nothing is downloaded for a message that was withdrawn")
    func withdrawnMessageIsNotDownloaded() throws {
        try phone.withdraw(.init(collapseIDs: ["1"]))
        let notification = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: try systemDictionary(phone.sealed(phone.message("Hi"))), identifier: "1")
        let steps = LockedValue<[String]>([])
        let done = DispatchSemaphore(value: 0)
        let host = NotificationPipelineTests.Host(
            steps: steps, report: { if $0.outcome != nil { done.signal() } })
        phone.inbox.begin(notification, with: host) { _ in }
        done.wait()
        #expect(!steps.withLock { $0 }.contains("attach"))
    }
}

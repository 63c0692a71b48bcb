import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The order of the last steps: after the content handler, the system may suspend or end the process.
@Suite(.ownThread) struct EndOfTheExtensionTests {
    private let phone: DisplayPhone

    init() throws { phone = try DisplayPhone() }

    /// The contents of all files that the extension uses.
    private var files: [String: [UInt8]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: phone.scratch.path)) ?? []
        return Dictionary(uniqueKeysWithValues: names.map { ($0, phone.scratch.contents(of: $0) ?? []) })
    }

    private func handler(_ reported: DispatchSemaphore) -> NotificationHandler {
        NotificationHandler(
            phone.notificationOpener(), timer: phone.clock, deliveryLog: phone.state.deliveryLog,
            log: { if $0.outcome != nil { reported.signal() } })
    }

    @Test("When the content handler is called, all files are written and no lock is held")
    func everythingIsWrittenBeforeTheHandOver() throws {
        let reported = DispatchSemaphore(value: 0)
        let atTheHandOver = LockedValue<[String: [UInt8]]>([:])
        let outcomes = LockedValue<[DeliveryLogEntry.Outcome]>([])
        let notification = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: try systemDictionary(phone.sealed(phone.message("Hi"))), identifier: "1")
        let message = GuardedMessage(id: try GuardFile.id(1), issuedAt: .example + 1, expiration: .example + 100)
        handler(reported).handle(notification) { [phone] _ in
            atTheHandOver.withLock { $0 = files }
            // A lock that is still held would make these fail after 50 ms.
            let entries = try? phone.state.deliveryLog.entries()
            outcomes.withLock { $0 = (entries ?? []).map(\.outcome) }
            #expect(throws: Never.self) { try phone.state.notifications.count() }
            #expect((try? phone.state.backgroundGuard.admit(message, now: .example + 1)) == .new)
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
        let state = SharedState(directory: phone.scratch.path, secrets: hanging, time: phone.clock)
        let opener = NotificationOpener(
            Opener(
                keys: InMemoryKeyStore([phone.device]), senderPolicy: .anyone, replayGuard: state.replayGuard,
                secrets: state.secrets, time: phone.clock), shared: state.notifications)
        let handler = NotificationHandler(
            opener, timer: phone.clock, deliveryLog: state.deliveryLog)
        let shown = LockedValue<[String]>([])
        let notification = DeliveredNotification(
            content: NotificationContent(body: "delivered"),
            userInfo: try systemDictionary(phone.sealed(phone.message("Hi"))), identifier: "1")
        handler.handle(notification) { content in shown.withLock { $0.append(content.body) } }
        hanging.isAsked.wait()
        phone.clock.advance(by: 20)
        #expect(shown.withLock { $0 } == ["(Encrypted)"])
    }

    /// The moments at which the system ends the process, and the entry that the log has after the app has read the
    /// displayed notification.
    @Test(
        "A kill at each step leaves the right entry after the app has read the notification",
        arguments: [
            (DisplayPhone.Kill.atTheStart, DeliveryLogEntry.Outcome.notRun), (.afterOpening, .unfinished),
            (.beforeTheHandOver, .unfinished), (.afterTheHandOver, .opened), (.never, .opened),
        ])
    func killAtEachStep(kill: DisplayPhone.Kill, expected: DeliveryLogEntry.Outcome) throws {
        let payload = try phone.sealed(phone.message("Hi"))
        let log = phone.state.deliveryLog
        if kill == .afterOpening {
            // The process has recorded its beginning.
            _ = try log.begin(
                DeliveredNotification(content: NotificationContent(), userInfo: systemDictionary(payload)))
        }
        try phone.deliver(payload, "1", kill: kill)
        let shown = try #require(phone.shown("1"))
        for _ in 0..<2 {
            try log.recordDelivered(shown.delivered, at: shown.date)
            #expect(try log.entries().map(\.outcome) == [expected])
        }
    }

    @Test("An unfinished entry of a displayed text is corrected") func unfinishedEntryIsCorrected() throws {
        try phone.deliver(phone.sealed(phone.message("Hi")), "1")
        let shown = try #require(phone.shown("1"))
        let log = phone.state.deliveryLog
        try log.clear()
        _ = try log.begin(shown.delivered)
        try log.recordDelivered(shown.delivered, at: shown.date)
        #expect(try log.entries().map(\.outcome) == [.opened])
    }

    @Test("A copy of another time corrects nothing") func copyOfAnotherTimeCorrectsNothing() throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        phone.clock.advance(by: 31)
        let copy = try phone.displayUnchanged(payload, "2", as: NotificationContent(body: "An attacker's text"))
        try phone.state.deliveryLog.recordDelivered(copy.delivered, at: copy.date)
        #expect(try phone.state.deliveryLog.entries().map(\.outcome) == [.opened])
    }

    @Test("Before the first unlock, the log has times and outcomes only, and finds no missing extension")
    func logBeforeTheFirstUnlock() throws {
        struct Locked: DeviceSecretsStore {
            func secrets() throws -> DeviceSecrets? { throw PushCryptError(.deviceLocked, "") }
            func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets { throw PushCryptError(.deviceLocked, "") }
        }
        let locked = SharedState(directory: phone.scratch.path, secrets: Locked(), time: phone.clock)
        let notification = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: try systemDictionary(phone.sealed(phone.message("Hi"))), identifier: "1")
        let outcome = NotificationOutcome(.fallback(PushCryptError(.deviceLocked, "")))
        let begun = try locked.deliveryLog.begin(notification)
        try locked.deliveryLog.end(begun, notification, outcome: outcome)
        let log = phone.state.deliveryLog
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
        let hashes = try [phone, other].map { try $0.state.deliveryLog.entries().first?.fingerprint }
        #expect(hashes[0] != nil && hashes[0] != hashes[1])
    }

    @Test("Nothing is downloaded for a message that was withdrawn") func withdrawnMessageIsNotDownloaded() throws {
        try phone.state.notifications.withdraw(.init(collapseIDs: ["1"]), account: "", issuedAt: .example)
        let notification = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: try systemDictionary(phone.sealed(phone.message("Hi"))), identifier: "1")
        let steps = LockedValue<[String]>([])
        let done = DispatchSemaphore(value: 0)
        let handler = handler(done)
        let platform = NotificationPipelineTests.Platform(steps: steps)
        handler.begin(notification, on: platform, for: handler.app) { _ in }
        done.wait()
        #expect(!steps.withLock { $0 }.contains("attach"))
    }
}

import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The inbox's entries in the delivery log: one for each notification.
@Suite(.ownThread) struct HandlerDeliveryLogTests {
    let scratch: Scratch
    let time = TestClock()
    let secrets = InMemorySecretsStore()
    let deliveryLog: DeliveryLog
    let finished = DispatchSemaphore(value: 0)
    let failures = LockedValue<[PushCryptError]>([])

    init() throws {
        scratch = try Scratch()
        let store = SharedStore(directory: scratch.path, secrets: secrets, time: time)
        try store.prepare(display: .full)
        deliveryLog = store.deliveryLog
    }

    /// An inbox with the app's code for its requests.
    private struct Handler {
        let inbox: PushInbox
        let customization: PushInbox.Customization?
        let log: @Sendable (PushEvent) -> Void

        func handle(
            _ notification: DeliveredNotification,
            handler: @escaping @Sendable (NotificationContent) -> Void
        ) {
            inbox.handle(notification, customization: customization, log: log, handler: handler)
        }
    }

    private func handler(
        _ keys: any KeyStore, _ unsealedPayloads: UnsealedPayloads = .reject,
        customization: PushInbox.Customization? = nil
    ) -> Handler {
        var configuration = PushConfiguration(keys: keys, senderPolicy: .anyone)
        configuration.unsealedPayloads = unsealedPayloads
        configuration.directory = scratch.path
        configuration.secrets = secrets
        return Handler(
            inbox: PushInbox(configuration, clock: time), customization: customization,
            log: { [finished, failures] event in
                if let error = event.failure, error.code == .deliveryLogUnavailable {
                    failures.withLock { $0.append(error) }
                }
                if event.outcome != nil { finished.signal() }
            })
    }

    private var device: InMemoryKeyStore {
        get throws { InMemoryKeyStore([try TestKeys.device()]) }
    }

    /// Waits for the end of a request, and returns the entries.
    private func entries() throws -> [DeliveryLogEntry] {
        #expect(finished.wait(timeout: .now() + 600) == .success)
        return try deliveryLog.entries()
    }

    private func expect(
        _ outcome: PushOutcome.Kind, _ reason: PushCryptError.Code? = nil, isSealed: Bool = true,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let entries = try entries()
        #expect(entries.map(\.outcome) == [outcome], sourceLocation: location)
        #expect(entries.map(\.reason) == [reason], sourceLocation: location)
        #expect(entries.map { $0.fingerprint != nil } == [isSealed], sourceLocation: location)
        #expect(entries.allSatisfy { $0.ended != nil }, sourceLocation: location)
        #expect(failures.withLock { $0 } == [], sourceLocation: location)
    }

    @Test("An opened message is recorded") func openedMessageIsRecorded() throws {
        try handler(device).handle(try Pushes.delivered()) { _ in }
        try expect(.opened)
    }

    @Test("A message that was opened without its guard is recorded")
    func messageThatWasOpenedWithoutItsGuardIsRecorded() throws {
        scratch.write(Array("something else".utf8), to: "pushcrypt.ids")
        try handler(device).handle(try Pushes.delivered()) { _ in }
        try expect(.opened, .replayGuardUnavailable)
    }

    @Test("A customization that fails is recorded as opened")
    func customizationThatFailsIsRecordedAsOpened() throws {
        try handler(device, customization: { _, _ in throw CocoaError(.fileReadUnknown) })
            .handle(try Pushes.delivered()) { _ in }
        try expect(.opened)
    }

    @Test("A fallback is recorded") func fallbackIsRecorded() throws {
        handler(InMemoryKeyStore([])).handle(try Pushes.delivered()) { _ in }
        try expect(.fallback, .unknownKey)
    }

    @Test("A store's own code is recorded as keyUnreadable")
    func storesOwnCodeIsRecordedAsKeyUnreadable() throws {
        let error = PushCryptError(.init(rawValue: "Anna is calling"), "secret")
        handler(TestKeyStore(.failure(error))).handle(try Pushes.delivered()) { _ in }
        try expect(.fallback, .keyUnreadable)
    }

    @Test("An unsealed payload is recorded", arguments: [true, false])
    func unsealedPayloadIsRecorded(isAllowed: Bool)
        throws
    {
        let plain = try DeliveredNotification(json: #"{"aps":{"alert":"plain"}}"#.utf8)
        try handler(device, isAllowed ? .allow : .reject).handle(plain) { _ in }
        try expect(isAllowed ? .unsealed : .fallback, isAllowed ? nil : .notSealed, isSealed: false)
    }

    /// A store that blocks until the test releases it.
    private struct Hanging: KeyStore {
        let asked = DispatchSemaphore(value: 0)
        let mayAnswer = DispatchSemaphore(value: 0)

        func signerLists() throws -> [String] { [] }

        func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
            asked.signal()
            mayAnswer.wait()
            return try TestKeys.device()
        }
    }

    @Test("A request is unfinished until it ends", arguments: [true, false])
    func requestIsUnfinishedUntilItEnds(
        expiry: Bool
    ) throws {
        let store = Hanging()
        let handler = handler(store)
        handler.handle(try Pushes.delivered()) { _ in }
        store.asked.wait()
        #expect(
            try deliveryLog.entries().map(\.outcome) == [.unfinished],
            "A killed process leaves this entry.")
        if expiry { handler.inbox.expire() } else { time.advance(by: 21) }
        try expect(.fallback, expiry ? .timeExpired : .deadlinePassed)
        // A late key changes nothing.
        store.mayAnswer.signal()
        usleep(50_000)
        #expect(try deliveryLog.entries().map(\.outcome) == [.fallback])
    }

    @Test("An expiry leaves one entry for each request") func expiryLeavesOneEntryForEachRequest()
        throws
    {
        let store = Hanging()
        let handler = handler(store)
        let pushes = try (0..<10).map { try Pushes.delivered("\($0)") }
        for push in pushes { handler.handle(push) { _ in } }
        for _ in pushes { store.asked.wait() }
        // The entries must exist when the call returns, because the system may end the process.
        if !handler.inbox.expireInTime() {
            for _ in pushes { finished.wait() }
        }
        // On a loaded machine the file's lock may not be free in time. The handler's log then
        // reports each entry that was neither begun nor ended.
        let entries = try deliveryLog.entries()
        let unfinished = entries.filter { $0.outcome == .unfinished }
        let missing = pushes.count - entries.count
        #expect(Set(entries.map(\.fingerprint)).count == entries.count)
        #expect(missing >= 0)
        #expect(missing + unfinished.count <= failures.withLock { $0.count })
        #expect(entries.allSatisfy { $0.reason == .timeExpired || $0.outcome == .unfinished })
        for _ in pushes { store.mayAnswer.signal() }
    }

    @Test("An expiry before the beginning leaves no unfinished entry")
    func expiryBeforeTheBeginningLeavesNoUnfinishedEntry() throws {
        // The beginning and the expiry come in any order.
        for round in 1...30 {
            let handler = try handler(device)
            handler.handle(try Pushes.delivered("\(round)")) { _ in }
            handler.inbox.expire()
            #expect(finished.wait(timeout: .now() + 600) == .success)
            usleep(2000)
            let entries = try deliveryLog.entries()
            #expect(entries.count == round)
            #expect(!entries.contains { $0.outcome == .unfinished })
        }
    }

    @Test("A log that can't be written doesn't delay the handler")
    func logThatCantBeWrittenDoesntDelayTheHandler()
        throws
    {
        let recorder = ContentHandlerRecorder()
        let log = scratch.file("pushcrypt.outcomes")
        try? FileManager.default.removeItem(atPath: log)
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
        try handler(device).handle(try Pushes.delivered(), handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "opened")
        #expect(finished.wait(timeout: .now() + 600) == .success)
        // The beginning and the end both fail.
        #expect(
            failures.withLock { $0.map(\.code) } == [
                .deliveryLogUnavailable, .deliveryLogUnavailable,
            ])
        #expect(failures.withLock { $0.allSatisfy { $0.reason.contains("pushcrypt.outcomes") } })
    }

    @Test("A repeated message is a second entry") func repeatedMessageIsASecondEntry() throws {
        let push = try Pushes.delivered()
        let handler = try handler(device)
        for _ in 0..<2 {
            handler.handle(push) { _ in }
            #expect(finished.wait(timeout: .now() + 600) == .success)
        }
        #expect(try deliveryLog.entries().map(\.reason) == [nil, nil])
        #expect(try deliveryLog.entries().map(\.outcome) == [.opened, .repeated])
    }
}

// Only stand-ins of notifications can be created by a test.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

@testable import PushCryptReceiver

/// What the app does when it becomes active or the device is unlocked.
@Suite(.ownThread, .exclusive("notification center")) struct CatchingUpTests {
    private let requests: Requests
    private let scratch: Scratch
    private let center = TestNotificationCenter.current
    private let secrets = LockableSecrets()
    private let identifier = UUID().uuidString

    init() throws {
        // Other tests display notifications at the same time, so this device has a key of its own.
        requests = try Requests(RecipientPrivateKey())
        scratch = try Scratch()
    }

    private func setting(_ keys: (any KeyStore)? = nil) -> TestService.Setting {
        TestService.Setting(
            keys: keys ?? InMemoryKeyStore([requests.device]),
            senderPolicy: .signed(by: [requests.server.publicKey]), secrets: secrets,
            directory: scratch.path,
            keepsUserInfoSealed: true)
    }

    /// Displays what an extension hands over for a request.
    private func display(_ body: String, _ setting: TestService.Setting) throws {
        let sealed = try requests.sealed(body)
        let request = UNNotificationRequest(
            identifier: identifier, content: sealed.content, trigger: sealed.trigger)
        let recorder = ContentRecorder()
        let service = TestService(setting)
        service.didReceive(request, withContentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        // The request ends with its event.
        #expect(eventually { service.events.withLock { !$0.isEmpty } })
        center.add(
            UNNotificationRequest(
                identifier: identifier, content: content, trigger: request.trigger))
    }

    private var notification: UNNotification? {
        center.delivered.first { $0.request.identifier == identifier }
    }

    private var displayed: UNNotificationContent? { notification?.request.content }

    /// Returns whether the log has an entry without a run of the extension for a delivery.
    ///
    /// Other tests display notifications at the same time, which are recorded, too.
    private func isRecorded(_ delivery: UNNotification, _ inbox: PushInbox) throws -> Bool {
        try #require(inbox.store).deliveryLog.entries().contains { entry in
            entry.outcome.rawValue == "not-run"
                && abs(entry.began.timeIntervalSince(delivery.date)) < 0.002
        }
    }

    @Test("The original replaces a fallback, silently, and only once")
    func originalReplacesAFallback() async throws {
        let inbox = setting().inbox
        #expect(inbox.prepare() == nil)
        try display(
            "text", setting(TestKeyStore(.failure(PushCryptError(.deviceLocked, "locked")))))
        let fallback = try #require(notification)
        #expect(
            fallback.request.content.body == "(Encrypted)" && fallback.request.content.sound != nil)
        await inbox.catchUp()
        let content = try #require(displayed)
        #expect(content.body == "text" && content.title == "title")
        #expect(
            content.sound == nil && content.badge == nil && content.interruptionLevel == .passive)
        let replaced = try #require(notification)
        #expect(replaced.request.trigger == nil)
        #expect(try inbox.read(replaced).state == .asSealed)
        // The replacement stays as it is.
        await inbox.catchUp()
        #expect(displayed === content)
        #expect(try inbox.summary().fallback == 1)
        #expect(try !isRecorded(fallback, inbox) && !isRecorded(replaced, inbox))
    }

    @Test("A notification that no extension has seen is opened, too, and recorded") func untouched()
        async throws
    {
        let inbox = setting().inbox
        #expect(inbox.prepare() == nil)
        let sealed = try requests.sealed("text")
        center.add(
            UNNotificationRequest(
                identifier: identifier, content: sealed.content, trigger: sealed.trigger))
        let untouched = try #require(notification)
        await inbox.catchUp()
        #expect(displayed?.body == "text" && displayed?.sound == nil)
        #expect(try isRecorded(untouched, inbox))
    }

    @Test("A preparation that has failed is repeated, and one that hasn't isn't") func preparation()
        async throws
    {
        let events = LockedValue<[String]>([])
        let inbox = PushInbox(setting().configuration) { event in
            events.withLock { $0.append(event.failure?.code.rawValue ?? "shown") }
        }
        await inbox.catchUp()
        #expect(
            try secrets.secrets() == nil, "An app that hasn't prepared the inbox isn't prepared.")
        secrets.isLocked.withLock { $0 = true }
        #expect(inbox.prepare(display: .titleOnly)?.code == .deviceLocked)
        await inbox.catchUp()
        #expect(events.withLock { $0 } == ["device-locked", "device-locked"])
        secrets.isLocked.withLock { $0 = false }
        await inbox.catchUp()
        #expect(try secrets.secrets() != nil && inbox.display == .titleOnly)
        try inbox.setDisplay(.full)
        await inbox.catchUp()
        #expect(inbox.display == .full, "The preparation isn't repeated.")
        #expect(events.withLock { $0.count } == 2)
    }

    @Test("A registration that has failed is repeated until it succeeds") func registration()
        async throws
    {
        let store = TestKeyringStore(behavior: .unreadable(PushCryptError(.deviceLocked, "locked")))
        var configuration = setting(store).configuration
        let directory = scratch.path
        configuration.registration.deviceID = { "device" }
        configuration.registration.directory = { _ in directory }
        let events = LockedValue<[String]>([])
        let inbox = PushInbox(configuration) { event in
            events.withLock { $0.append(event.failure?.code.rawValue ?? "shown") }
        }
        let asked = LockedValue(0)
        let isDown = LockedValue(true)
        let error = await #expect(throws: PushCryptError.self) {
            try await inbox.register(DeviceToken("t")) { _ in
                asked.withLock { $0 += 1 }
                if isDown.withLock({ $0 }) { throw CocoaError(.fileReadUnknown) }
                return .accepted(date: nil)
            }
        }
        #expect(error?.code == .keyUnreadable || error?.code == .deviceLocked)
        await inbox.catchUp()
        #expect(events.withLock { $0.count } == 1 && asked.withLock { $0 } == 0)
        store.behavior = .working
        await inbox.catchUp()
        #expect(asked.withLock { $0 } == 1, "The server was asked, and is down.")
        isDown.withLock { $0 = false }
        for _ in 0..<3 { await inbox.catchUp() }
        #expect(asked.withLock { $0 } == 2)
        #expect(
            try await inbox.register(DeviceToken("t")) { _ in .accepted(date: nil) } == .unchanged)
    }
}

/// Secrets on a device that may be locked.
private final class LockableSecrets: DeviceSecretsStore {
    let isLocked = LockedValue(false)
    private let store = InMemorySecretsStore()

    func secrets() throws -> DeviceSecrets? {
        if isLocked.withLock({ $0 }) {
            throw PushCryptError(.deviceLocked, "The device is locked.")
        }
        return store.secrets()
    }

    func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets {
        if isLocked.withLock({ $0 }) {
            throw PushCryptError(.deviceLocked, "The device is locked.")
        }
        return store.create(secrets)
    }
}
#endif

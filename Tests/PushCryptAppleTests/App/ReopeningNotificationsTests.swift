// Only stand-ins of notifications can be created by a test.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// Notifications that came while the device was locked.
@Suite(.ownThread) struct ReopeningNotificationsTests {
    private let requests: Requests
    private let scratch: Scratch

    private let state: SharedState

    init() throws {
        requests = try Requests()
        scratch = try Scratch()
        state = SharedState(inSharedDirectory: scratch.path, secrets: InMemorySecretsStore())
        try state.prepare(display: .full)
    }

    private func service(_ keys: any KeyStore, keepsSealed: Bool = false) -> TestService {
        TestService(
            TestService.Setting(
                keys: keys, senderPolicy: .signed(by: [requests.server.publicKey]), secrets: state.secrets,
                directory: scratch.path,
                keepsUserInfoSealed: keepsSealed))
    }

    private func notificationOpener(keepsSealed: Bool = false) -> NotificationOpener {
        NotificationOpener(
            Opener(
                keys: InMemoryKeyStore([requests.device]), senderPolicy: .signed(by: [requests.server.publicKey]),
                replayGuard: state.replayGuard, secrets: state.secrets),
            keepsUserInfoSealed: keepsSealed)
    }

    /// Returns the displayed notification after an extension has run.
    private func delivered(_ request: UNNotificationRequest, _ service: TestService) throws -> UNNotification {
        let recorder = ContentRecorder()
        service.didReceive(request, withContentHandler: recorder.handler)
        let shown = try #require(recorder.wait())
        return UNNotification(
            date: Date(),
            request: UNNotificationRequest(identifier: request.identifier, content: shown, trigger: request.trigger))
    }

    @Test("A notification that couldn't be opened is opened later", arguments: [false, true])
    func notificationThatCouldntBeOpenedIsOpenedLater(keepsSealed: Bool) throws {
        let locked = service(TestKeyStore(.failure(CocoaError(.fileReadNoPermission))), keepsSealed: keepsSealed)
        let notification = try delivered(requests.sealed("text"), locked)
        #expect(notification.request.content.body == "(Encrypted)")
        let replacement = try #require(notificationOpener(keepsSealed: keepsSealed).reopened([notification]).first)
        #expect(replacement.identifier == "1")
        #expect(replacement.content.body == "text" && replacement.content.title == "title")
        #expect((replacement.content.userInfo["ENCRYPTED_DATA"] == nil) == !keepsSealed)
        #expect(
            replacement.content.sound == nil && replacement.content.badge == nil
                && replacement.content.interruptionLevel == .passive)
        #expect(replacement.trigger == nil)
        // The replacement isn't opened again.
        let shown = UNNotification(date: Date(), request: replacement)
        #expect(notificationOpener(keepsSealed: keepsSealed).reopened([shown]).isEmpty)
    }

    @Test("An opened notification stays as it is", arguments: [false, true])
    func openedNotificationStaysAsItIs(keepsSealed: Bool) throws {
        let notification = try delivered(
            requests.sealed("text"), service(InMemoryKeyStore([requests.device]), keepsSealed: keepsSealed))
        #expect(notification.request.content.body == "text")
        #expect(notificationOpener(keepsSealed: keepsSealed).reopened([notification]).isEmpty)
    }

    @Test("A repeated message is displayed again, silently") func repeatedMessageIsDisplayedAgain() throws {
        let request = try requests.sealed("text")
        let working = service(InMemoryKeyStore([requests.device]))
        _ = try delivered(request, working)
        let repeated = try delivered(request, working)
        let content = repeated.request.content
        #expect(content.body == "text" && content.sound == nil && content.badge == nil)
        #expect(content.interruptionLevel == .passive)
        #expect(notificationOpener().reopened([repeated]).isEmpty)
    }

    @Test("A notification that still doesn't open stays as it is") func notificationThatStillDoesntOpenStaysAsItIs()
        throws
    {
        let forged = try requests.request(Data(#"{"aps":{"alert":"plain"}}"#.utf8))
        let notification = UNNotification(date: Date(), request: forged)
        var notificationOpener = notificationOpener()
        notificationOpener.unsealedPayloads = .allow
        #expect(notificationOpener.reopened([notification]).isEmpty, "An unsealed payload isn't an original.")
    }

    @Test("The app sees whether the extension ran") func appSeesWhetherTheExtensionRan() throws {
        let log = state.deliveryLog
        let locked = service(TestKeyStore(.failure(CocoaError(.fileReadNoPermission))))
        let failed = try delivered(requests.sealed("ran and failed"), locked)
        #expect(eventually { (try? log.entries().first?.outcome) == .fallback })
        let untouched = UNNotification(date: Date(), request: try requests.sealed("did not run"))
        try log.recordDelivered([failed, untouched])
        #expect(try log.entries().map(\.outcome) == [.fallback, .notRun])
        try log.recordDelivered([failed, untouched])
        #expect(try log.entries().count == 2)
        #expect(
            try log.summary().diagnoses.map(\.finding) == ["extension-did-not-run", "key-unreadable"])
    }

    @Test("A replacement of the app doesn't count as a push") func replacementOfTheAppDoesntCountAsAPush() throws {
        let log = state.deliveryLog
        let locked = service(TestKeyStore(.failure(CocoaError(.fileReadNoPermission))), keepsSealed: true)
        let failed = try delivered(requests.sealed("ran and failed"), locked)
        #expect(eventually { (try? log.entries().first?.outcome) == .fallback })
        // The app reports, and later opens the failed notification.
        try log.clear()
        let replacement = try #require(notificationOpener(keepsSealed: true).reopened([failed]).first)
        #expect(replacement.content.userInfo["ENCRYPTED_DATA"] != nil)
        try log.recordDelivered([UNNotification(date: Date() + 60, request: replacement)])
        #expect(try log.entries() == [])
    }
}
#endif

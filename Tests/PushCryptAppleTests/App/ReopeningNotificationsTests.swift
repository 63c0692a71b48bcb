import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// What came while the device was locked, once it is unlocked.
@Suite struct ReopeningNotificationsTests {
    private let requests: Requests
    private let scratch: Scratch

    private var folder: String { scratch.path }

    init() throws {
        requests = try Requests()
        scratch = try Scratch()
    }

    private func service(_ keys: any KeyStore, keepsSealed: Bool = false) -> TestService {
        TestService(
            TestService.Setting(
                keys: keys, senderPolicy: .signed(by: [requests.server.publicKey]), folder: folder,
                keepsUserInfoSealed: keepsSealed))
    }

    private func notificationOpener(keepsSealed: Bool = false) -> NotificationOpener {
        NotificationOpener(
            Opener(
                keys: InMemoryKeyStore([requests.device]), senderPolicy: .signed(by: [requests.server.publicKey]),
                replayGuard: FileReplayGuard(inSharedDirectory: folder)),
            keepsUserInfoSealed: keepsSealed)
    }

    /// What the system shows after an extension has run.
    private func delivered(_ request: UNNotificationRequest, _ service: TestService) throws -> UNNotification {
        let recorder = ContentRecorder()
        service.didReceive(request, withContentHandler: recorder.handler)
        let shown = try #require(recorder.wait())
        return UNNotification(
            date: Date(),
            request: UNNotificationRequest(identifier: "id", content: shown, trigger: request.trigger))
    }

    @Test(arguments: [false, true])
    func whatCouldNotBeOpenedIsOpenedLater(keepsSealed: Bool) throws {
        let locked = service(TestKeyStore(.failure(CocoaError(.fileReadNoPermission))), keepsSealed: keepsSealed)
        let notification = try delivered(requests.sealed("text"), locked)
        #expect(notification.request.content.body == "(Encrypted)")
        let replacement = try #require(notificationOpener(keepsSealed: keepsSealed).reopened([notification]).first)
        #expect(replacement.identifier == "id")
        #expect(replacement.content.body == "text" && replacement.content.title == "title")
        #expect((replacement.content.userInfo["ENCRYPTED_DATA"] == nil) == !keepsSealed)
        #expect(
            replacement.content.sound == nil && replacement.content.badge == nil
                && replacement.content.interruptionLevel == .passive)
        #expect(replacement.trigger == nil)
        // The replacement is not sealed any more, or has its text: it is not taken for one that waits.
        let shown = UNNotification(date: Date(), request: replacement)
        #expect(notificationOpener(keepsSealed: keepsSealed).reopened([shown]).isEmpty)
    }

    @Test(arguments: [false, true])
    func whatIsShownAsItShouldBeStays(keepsSealed: Bool) throws {
        let notification = try delivered(
            requests.sealed("text"), service(InMemoryKeyStore([requests.device]), keepsSealed: keepsSealed))
        #expect(notification.request.content.body == "text")
        #expect(notificationOpener(keepsSealed: keepsSealed).reopened([notification]).isEmpty)
    }

    @Test func aRepetitionStaysRefused() throws {
        let request = try requests.sealed("text")
        let working = service(InMemoryKeyStore([requests.device]))
        _ = try delivered(request, working)
        let repeated = try delivered(request, working)
        #expect(repeated.request.content.body == "(Encrypted)")
        #expect(notificationOpener().reopened([repeated]).isEmpty)
    }

    @Test func whatDoesNotOpenNowEitherStays() throws {
        let forged = try requests.request(Data(#"{"aps":{"alert":"plain"}}"#.utf8))
        let notification = UNNotification(date: Date(), request: forged)
        var notificationOpener = notificationOpener()
        notificationOpener.unsealedPayloads = .allow
        #expect(notificationOpener.reopened([notification]).isEmpty, "what is not sealed is nobody's original")
    }

    @Test func theAppSeesWhetherTheExtensionRan() throws {
        let log = DeliveryLog(inSharedDirectory: folder)
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

    /// It is the app's own then, and has a date of its own: nothing was delivered, and no extension had to run.
    @Test func whatTheAppHasPutInAPlaceIsNotTakenForAPush() throws {
        let log = DeliveryLog(inSharedDirectory: folder)
        let locked = service(TestKeyStore(.failure(CocoaError(.fileReadNoPermission))), keepsSealed: true)
        let failed = try delivered(requests.sealed("ran and failed"), locked)
        #expect(eventually { (try? log.entries().first?.outcome) == .fallback })
        // The app reports, and later opens what failed.
        try log.clear()
        let replacement = try #require(notificationOpener(keepsSealed: true).reopened([failed]).first)
        #expect(replacement.content.userInfo["ENCRYPTED_DATA"] != nil)
        try log.recordDelivered([UNNotification(date: Date() + 60, request: replacement)])
        #expect(try log.entries() == [])
    }
}

// Only stand-ins of notifications can be created by a test.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

@testable import PushCryptReceiver

/// Notifications that came while the device was locked.
@Suite(.ownThread) struct ReopeningNotificationsTests {
    private let requests: Requests
    private let scratch: Scratch

    private let secrets = InMemorySecretsStore()

    init() throws {
        requests = try Requests()
        scratch = try Scratch()
        #expect(inbox().prepare() == nil)
    }

    private func setting(_ keys: any KeyStore, keepsSealed: Bool = false) -> TestService.Setting {
        TestService.Setting(
            keys: keys, senderPolicy: .signed(by: [requests.server.publicKey]), secrets: secrets,
            directory: scratch.path, keepsUserInfoSealed: keepsSealed)
    }

    private func service(_ keys: any KeyStore, keepsSealed: Bool = false) -> TestService {
        TestService(setting(keys, keepsSealed: keepsSealed))
    }

    private func inbox(keepsSealed: Bool = false) -> PushInbox {
        setting(InMemoryKeyStore([requests.device]), keepsSealed: keepsSealed).inbox
    }

    /// Returns the displayed notification after an extension has run.
    private func delivered(_ request: UNNotificationRequest, _ service: TestService) throws
        -> UNNotification
    {
        let recorder = ContentRecorder()
        service.didReceive(request, withContentHandler: recorder.handler)
        let shown = try #require(recorder.wait())
        return UNNotification(
            date: Date(),
            request: UNNotificationRequest(
                identifier: request.identifier, content: shown, trigger: request.trigger))
    }

    @Test("A notification that couldn't be opened is opened later", arguments: [false, true])
    func notificationThatCouldntBeOpenedIsOpenedLater(keepsSealed: Bool) async throws {
        let locked = service(
            TestKeyStore(.failure(CocoaError(.fileReadNoPermission))), keepsSealed: keepsSealed)
        let notification = try delivered(requests.sealed("text"), locked)
        #expect(notification.request.content.body == "(Encrypted)")
        let replacement = try #require(
            await inbox(keepsSealed: keepsSealed).reopened([notification]).first)
        #expect(replacement.identifier == "1")
        #expect(replacement.content.body == "text" && replacement.content.title == "title")
        #expect((replacement.content.userInfo["ENCRYPTED_DATA"] == nil) == !keepsSealed)
        #expect(
            replacement.content.sound == nil && replacement.content.badge == nil
                && replacement.content.interruptionLevel == .passive)
        #expect(replacement.trigger == nil)
        // The replacement isn't opened again.
        let shown = UNNotification(date: Date(), request: replacement)
        #expect(await inbox(keepsSealed: keepsSealed).reopened([shown]).isEmpty)
    }

    @Test("An opened notification stays as it is", arguments: [false, true])
    func openedNotificationStaysAsItIs(keepsSealed: Bool) async throws {
        let notification = try delivered(
            requests.sealed("text"),
            service(InMemoryKeyStore([requests.device]), keepsSealed: keepsSealed))
        #expect(notification.request.content.body == "text")
        #expect(await inbox(keepsSealed: keepsSealed).reopened([notification]).isEmpty)
    }

    @Test("A repeated message is displayed again, silently") func repeatedMessageIsDisplayedAgain()
        async throws
    {
        let request = try requests.sealed("text")
        let working = service(InMemoryKeyStore([requests.device]))
        _ = try delivered(request, working)
        let repeated = try delivered(request, working)
        let content = repeated.request.content
        #expect(content.body == "text" && content.sound == nil && content.badge == nil)
        #expect(content.interruptionLevel == .passive)
        #expect(await inbox().reopened([repeated]).isEmpty)
    }

    @Test("A notification that still doesn't open stays as it is")
    func notificationThatStillDoesntOpenStaysAsItIs()
        async throws
    {
        let forged = try requests.request(Data(#"{"aps":{"alert":"plain"}}"#.utf8))
        let notification = UNNotification(date: Date(), request: forged)
        var setting = setting(InMemoryKeyStore([requests.device]))
        setting.unsealedPayloads = .allow
        #expect(
            await setting.inbox.reopened([notification]).isEmpty,
            "An unsealed payload isn't an original.")
    }

    @Test("The app sees whether the extension ran") func appSeesWhetherTheExtensionRan() throws {
        let inbox = inbox()
        let log = try #require(inbox.store).deliveryLog
        let locked = service(TestKeyStore(.failure(CocoaError(.fileReadNoPermission))))
        let failed = try delivered(requests.sealed("ran and failed"), locked)
        #expect(eventually { (try? log.entries().first?.outcome) == .fallback })
        let untouched = UNNotification(date: Date(), request: try requests.sealed("did not run"))
        for notification in [failed, untouched] { _ = try inbox.read(notification) }
        #expect(
            try log.entries().map(\.outcome) == [.fallback, PushOutcome.Kind(rawValue: "not-run")])
        for notification in [failed, untouched] { _ = try inbox.read(notification) }
        #expect(try log.entries().count == 2)
        #expect(
            try inbox.summary().diagnoses.map(\.finding) == [
                "extension-did-not-run", "key-unreadable",
            ])
    }

    @Test("A replacement of the app doesn't count as a push")
    func replacementOfTheAppDoesntCountAsAPush()
        async throws
    {
        let inbox = inbox(keepsSealed: true)
        let log = try #require(inbox.store).deliveryLog
        let locked = service(
            TestKeyStore(.failure(CocoaError(.fileReadNoPermission))), keepsSealed: true)
        let failed = try delivered(requests.sealed("ran and failed"), locked)
        #expect(eventually { (try? log.entries().first?.outcome) == .fallback })
        // The app reports, and later opens the failed notification.
        try inbox.clearLog()
        let replacement = try #require(await inbox.reopened([failed]).first)
        #expect(replacement.content.userInfo["ENCRYPTED_DATA"] != nil)
        _ = try inbox.read(UNNotification(date: Date() + 60, request: replacement))
        #expect(try log.entries() == [])
    }
}
#endif

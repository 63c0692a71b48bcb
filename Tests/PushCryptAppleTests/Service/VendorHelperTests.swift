import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

#if canImport(OneSignalExtension)
import BrazeNotificationService
import FirebaseMessaging
import OneSignalExtension
#endif

/// A vendor's helper, which gets opened content and answers in any way.
@Suite(.ownThread) struct VendorHelperTests {
    private let requests: Requests
    private let scratch: Scratch

    init() throws {
        requests = try Requests()
        scratch = try Scratch()
    }

    /// A service that hands opened content to a helper.
    private final class Service: TestService {
        typealias Helper =
            @Sendable (
                UNNotificationRequest, UNMutableNotificationContent,
                @escaping (UNNotificationContent) -> Void
            )
            throws -> Void

        let changes: HelperChanges
        let helper: Helper

        init(_ setting: Setting, allowing changes: HelperChanges, _ helper: @escaping Helper) {
            self.changes = changes
            self.helper = helper
            super.init(setting)
        }

        override func customizedContent(for notification: OpenedNotification) async throws
            -> UNNotificationContent
        {
            try await notification.content(allowing: changes, from: helper)
        }
    }

    private func service(
        allowing changes: HelperChanges = [],
        secrets: InMemorySecretsStore = InMemorySecretsStore(),
        _ helper: @escaping Service.Helper
    ) -> Service {
        Service(
            TestService.Setting(keys: InMemoryKeyStore([requests.device]), secrets: secrets),
            allowing: changes, helper)
    }

    private func shown(_ service: Service, _ request: UNNotificationRequest? = nil) throws
        -> UNNotificationContent
    {
        let recorder = ContentRecorder()
        service.didReceive(
            try request ?? requests.sealed("text"), withContentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        service.serviceExtensionTimeWillExpire()
        #expect(recorder.contents.count == 1)
        return content
    }

    private func attachment() throws -> UNNotificationAttachment {
        let path = scratch.file("picture.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(
            to: URL(fileURLWithPath: path))
        return try UNNotificationAttachment(
            identifier: "picture", url: URL(fileURLWithPath: path), options: nil)
    }

    @Test("The helper gets a request with the opened content") func requestHasTheOpenedContent()
        throws
    {
        let seen = LockedValue<[String]>([])
        let service = service { request, content, answer in
            let texts = [
                request.identifier, request.content.title, request.content.body, content.body,
            ]
            let isOpened =
                request.content.userInfo["k"] != nil
                && request.content.userInfo["ENCRYPTED_DATA"] == nil
            seen.withLock { $0 = texts + ["\(isOpened)"] }
            content.subtitle = "from the helper"
            answer(content)
        }
        #expect(try shown(service).subtitle == "from the helper")
        #expect(seen.withLock { $0 } == ["1", "title", "text", "text", "true"])
    }

    @Test("The helper never gets a notification that isn't opened") func fallbackIsNotHandedOn()
        throws
    {
        let calls = LockedValue(0)
        let service = service { _, content, answer in
            calls.withLock { $0 += 1 }
            answer(content)
        }
        let request = try requests.request(Data(#"{"aps":{"alert":"plain"}}"#.utf8))
        #expect(try shown(service, request).body == "(Encrypted)")
        #expect(calls.withLock { $0 } == 0)
    }

    @Test("A picture and a category of the helper's are removed, unless the app allows them")
    func attachmentsAndCategory() throws {
        let file = UncheckedSendable(value: try attachment())
        for (changes, hasPicture, category) in [
            ([], false, ""), (.attachments, true, ""), (.category, false, "HELPER"),
            ([.attachments, .category], true, "HELPER"),
        ] as [(HelperChanges, Bool, String)] {
            let service = service(allowing: changes) { _, content, answer in
                content.attachments = [file.value]
                content.categoryIdentifier = "HELPER"
                answer(content)
            }
            let content = try shown(service)
            #expect(
                content.attachments.isEmpty == !hasPicture && content.categoryIdentifier == category
            )
        }
    }

    @Test("userInfo stays as it was opened") func userInfoStays() throws {
        let service = service { _, content, answer in
            content.userInfo = ["link": "https://evil.example"]
            answer(content)
        }
        let userInfo = try shown(service).userInfo
        #expect(userInfo["k"] != nil && userInfo["link"] == nil)
    }

    @Test("The receipt says that the helper has changed the text") func receiptCoversTheText()
        throws
    {
        for (text, state) in [("text", DisplayedState.asSealed), ("changed", .otherText)] {
            let secrets = try TestSecrets.store()
            let service = service(secrets: secrets) { _, content, answer in
                content.body = text
                answer(content)
            }
            let content = try shown(service)
            #expect(content.body == text)
            let notification = DeliveredNotification(
                content: NotificationContent(content), userInfo: content.userInfo, identifier: "1",
                date: Date())
            #expect(try service.setting.inbox.read(notification).state == state)
        }
    }

    @Test("The opened text survives a helper that throws, or answers without text")
    func openedTextSurvives() throws {
        let throwing = service { _, _, _ in throw CocoaError(.fileReadNoSuchFile) }
        #expect(try shown(throwing).body == "text")
        #expect(eventually { throwing.events.withLock { $0.contains("customization-failed") } })
        let empty = service { _, _, answer in answer(UNNotificationContent()) }
        #expect(try shown(empty).body == "text")
    }

    @Test("The first of several answers counts") func firstAnswerCounts() throws {
        let service = service { _, content, answer in
            content.subtitle = "first"
            answer(content)
            content.subtitle = "second"
            answer(content)
            throw CocoaError(.fileReadNoSuchFile)
        }
        #expect(try shown(service).subtitle == "first")
    }

    @Test("The opened text is displayed if the helper doesn't answer in time, or blocks its thread")
    func helperThatIsTooSlow() throws {
        for blocks in [true, false] {
            let begun = DispatchSemaphore(value: 0)
            let end = DispatchSemaphore(value: 0)
            let late = LockedValue<[UncheckedSendable<() -> Void>]>([])
            let service = service { _, content, answer in
                content.body = "late"
                let content = UncheckedSendable(value: content)
                let answer = UncheckedSendable(value: answer)
                late.withLock {
                    $0.append(UncheckedSendable(value: { answer.value(content.value) }))
                }
                begun.signal()
                if blocks { end.wait() }
            }
            let recorder = ContentRecorder()
            service.didReceive(try requests.sealed("text"), withContentHandler: recorder.handler)
            begun.wait()
            service.serviceExtensionTimeWillExpire()
            #expect(recorder.bodies == ["text"])
            end.signal()
            for answer in late.withLock({ $0 }) { answer.value() }
            #expect(recorder.bodies == ["text"])
        }
    }

    // MARK: The vendors' entry points

    #if canImport(OneSignalExtension)
    @Test("The entry points of OneSignal, Firebase and Braze fit") func vendorsEntryPoints() throws
    {
        let helpers: [Service.Helper] = [
            { request, content, answer in
                OneSignalExtension.didReceiveNotificationExtensionRequest(
                    request, with: content, withContentHandler: answer)
            },
            { _, content, answer in
                Messaging.serviceExtension().populateNotificationContent(
                    content, withContentHandler: answer)
            },
            { request, content, answer in
                let isHandled = BrazeNotificationService.handle(
                    request: request, contentHandler: answer)
                if !isHandled { answer(content) }
            },
        ]
        for helper in helpers { #expect(try shown(service(helper)).body == "text") }
    }
    #endif

    /// A value that crosses threads.
    private struct UncheckedSendable<Value>: @unchecked Sendable {
        let value: Value
    }
}

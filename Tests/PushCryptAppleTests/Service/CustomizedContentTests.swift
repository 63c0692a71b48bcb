import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// The app's customization, which never loses the opened text.
@Suite(.ownThread) struct CustomizedContentTests {
    private let requests: Requests

    init() throws {
        requests = try Requests()
    }

    /// A service whose customization is a closure.
    private final class Service: TestService {
        let step: @Sendable (OpenedNotification) async throws -> UNNotificationContent

        init(
            _ requests: Requests,
            _ step: @escaping @Sendable (OpenedNotification) async throws -> UNNotificationContent
        ) {
            self.step = step
            super.init(Setting(keys: InMemoryKeyStore([requests.device])))
        }

        override func customizedContent(for notification: OpenedNotification) async throws
            -> UNNotificationContent
        {
            try await step(notification)
        }
    }

    #if !canImport(Darwin)
    private final class Intent: NSObject, TestContentProvider {
        func update(_ content: UNMutableNotificationContent) { content.title = "Anna" }
    }
    #endif

    private func show(_ service: Service, _ body: String = "text") throws -> UNNotificationContent {
        let recorder = ContentRecorder()
        service.didReceive(try requests.sealed(body), withContentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        service.serviceExtensionTimeWillExpire()
        #expect(recorder.contents.count == 1)
        return content
    }

    /// Starts a request whose customization doesn't end, and expires it.
    private func expire(_ service: Service, after step: DispatchSemaphore) throws -> ContentRecorder
    {
        let recorder = ContentRecorder()
        service.didReceive(try requests.sealed("text"), withContentHandler: recorder.handler)
        step.wait()
        service.serviceExtensionTimeWillExpire()
        return recorder
    }

    @Test("The customized content is displayed") func customizedContentIsDisplayed() throws {
        let service = Service(requests) { notification in
            #expect(notification.content.body == "text")
            #expect(notification.push.payload.count > 10)
            notification.content.subtitle = "from Anna"
            return notification.content
        }
        let content = try show(service)
        #expect(
            content.subtitle == "from Anna" && content.body == "text"
                && content.userInfo["k"] != nil)
    }

    #if !canImport(Darwin)
    // Only the stand-in takes a provider of a test.
    @Test("Content that the system has updated is handed over as it is")
    func contentThatTheSystemHasUpdatedIsHandedOverAsItIs() throws {
        let service = Service(requests) { try $0.content.updating(from: Intent()) }
        let content = try show(service)
        #expect(content.title == "Anna" && content.body == "text")
        #expect(content.updatedBy is Intent, "The system's update is kept.")
    }
    #endif

    @Test("The opened text survives a customization that throws")
    func openedTextSurvivesACustomizationThatThrows()
        throws
    {
        let service = Service(requests) { _ in throw CocoaError(.fileReadNoSuchFile) }
        #expect(try show(service).body == "text")
        #expect(eventually { service.events.withLock { $0.contains("customization-failed") } })
    }

    @Test("The opened text survives a customization that removes it")
    func openedTextSurvivesACustomizationThatRemovesIt() throws {
        #expect(try show(Service(requests) { _ in UNNotificationContent() }).body == "text")
    }

    @Test("The opened text survives a customization that is too slow")
    func openedTextSurvivesACustomizationThatIsTooSlow() throws {
        let begun = DispatchSemaphore(value: 0)
        let service = Service(requests) { notification in
            begun.signal()
            try await Task.sleep(nanoseconds: 60_000_000_000)
            return notification.content
        }
        let recorder = try expire(service, after: begun)
        #expect(recorder.bodies == ["text"])
    }

    @Test("The last update is displayed when time runs out")
    func lastUpdateIsDisplayedWhenTimeRunsOut() throws {
        let begun = DispatchSemaphore(value: 0)
        let service = Service(requests) { notification in
            notification.content.title = "Anna"
            notification.update(notification.content)
            // The update was a copy, so this change has no effect. Neither has content without
            // text.
            notification.content.title = "changed"
            notification.update(UNNotificationContent())
            begun.signal()
            try await Task.sleep(nanoseconds: 60_000_000_000)
            return notification.content
        }
        let recorder = try expire(service, after: begun)
        #expect(recorder.contents.map(\.title) == ["Anna"])
        #expect(recorder.bodies == ["text"])
    }

    @Test("The last update is displayed when the customization throws")
    func lastUpdateIsDisplayedWhenTheCustomizationThrows() throws {
        let service = Service(requests) { notification in
            notification.content.title = "Anna"
            notification.update(notification.content)
            throw CocoaError(.fileReadNoSuchFile)
        }
        #expect(try show(service).title == "Anna")
    }

    @Test("A fallback isn't customized") func fallbackIsntCustomized() throws {
        let runs = LockedValue(0)
        let service = Service(requests) { notification in
            runs.withLock { $0 += 1 }
            return notification.content
        }
        let recorder = ContentRecorder()
        service.didReceive(
            try requests.request(Data(#"{"aps":{"alert":"plain"}}"#.utf8)),
            withContentHandler: recorder.handler)
        #expect(recorder.wait()?.body == "(Encrypted)")
        #expect(runs.withLock { $0 } == 0)
    }

    @Test("An inbox without the service runs the same customization")
    func inboxWithoutTheServiceRunsTheSameCustomization() throws {
        let configuration = PushConfiguration(
            keys: InMemoryKeyStore([requests.device]), senderPolicy: .anyone)
        let inbox = PushInbox(configuration, timer: TestClock())
        let recorder = ContentRecorder()
        inbox.handle(
            try requests.sealed("text"),
            customizedContent: { notification in
                notification.content.title = "Anna"
                return notification.content
            }, contentHandler: recorder.handler)
        #expect(recorder.wait()?.title == "Anna")
    }

    @Test("Descriptions don't contain content") func descriptionsDontContainContent() throws {
        let described = LockedValue<[String]>([])
        let service = Service(requests) { notification in
            var dumped = ""
            dump(notification, to: &dumped)
            let texts = ["\(notification)", String(reflecting: notification), dumped]
            described.withLock { $0 = texts }
            return notification.content
        }
        #expect(try show(service, "quite secret").body == "quite secret")
        let texts = described.withLock { $0 }
        #expect(texts.count == 3)
        for text in texts {
            #expect(
                text.contains("OpenedNotification") && !text.contains("quite secret")
                    && !text.contains("title"))
        }
    }

    @Test("The opened text survives a customization that blocks its thread")
    func openedTextSurvivesACustomizationThatBlocksItsThread() throws {
        let (begun, hang) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let service = Service(requests) { notification in
            Self.block(begun, hang)
            return notification.content
        }
        let recorder = try expire(service, after: begun)
        #expect(recorder.bodies == ["text"])
        hang.signal()
    }

    private static func block(_ begun: DispatchSemaphore, _ hang: DispatchSemaphore) {
        begun.signal()
        hang.wait()
    }

    @Test("Concurrent and late updates don't mix contents")
    func concurrentAndLateUpdatesDontMixContents() throws {
        let (shown, late) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let service = Service(requests) { notification in
            let notification = Held(notification: notification)
            Self.keepAtOnce(notification)
            Thread.detachNewThread {
                shown.wait()
                notification.update("too late")
                late.signal()
            }
            throw CancellationError()
        }
        let content = try show(service)
        #expect(content.title.hasPrefix("kept") && content.body == "text")
        shown.signal()
        #expect(late.wait(timeout: .now() + 600) == .success)
        #expect(content.title.hasPrefix("kept"))
    }

    private static func keepAtOnce(_ notification: Held) {
        DispatchQueue.concurrentPerform(iterations: 50) { notification.update("kept \($0)") }
    }

    private struct Held: @unchecked Sendable {
        let notification: OpenedNotification

        func update(_ title: String) {
            guard let copy = notification.content.mutableCopy() as? UNMutableNotificationContent
            else { return }
            copy.title = title
            notification.update(copy)
        }
    }
}

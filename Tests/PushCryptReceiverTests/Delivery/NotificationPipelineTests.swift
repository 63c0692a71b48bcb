import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

/// The steps of a notification, on a platform that records them.
@Suite(.ownThread) struct NotificationPipelineTests {
    /// A platform with attachments, whose content is a body and a list of files.
    struct Platform: NotificationPlatform {
        struct Content: Sendable, Equatable {
            var content: NotificationContent
            var files: [String] = []
        }

        let steps: LockedValue<[String]>
        var attachmentFailure: PushCryptError?

        var hasSteps: Bool { true }
        var deliveredList: (any DeliveredList)? { nil }
        var emptyContent: Content { Content(content: NotificationContent()) }

        func content(for content: NotificationContent) -> Content { Content(content: content) }

        func read(_ content: Content) -> NotificationContent { content.content }

        func source(of content: Content) -> ReceiptSource? { nil }

        func content(_ content: Content, withReceipt receipt: String?) -> Content { content }

        func silent(_ content: Content) -> Content { content }

        func content(_ content: Content, withBadge badge: Int) -> Content {
            steps.withLock { $0.append("admit") }
            var counted = content
            counted.content.badge = badge
            return counted
        }

        func attach(
            to content: Content, from push: OpenedPush, timeout: TimeInterval
        ) async throws(PushCryptError) -> Content? {
            steps.withLock { $0.append("attach") }
            if let attachmentFailure { throw attachmentFailure }
            var attached = content
            attached.files = ["picture"]
            return attached
        }

        func customize(_ draft: NotificationDraft<Platform>) async throws -> Content {
            steps.withLock { $0.append("customize") }
            var customized = draft.content
            customized.content.subtitle = "for \(draft.original.body)"
            return customized
        }
    }

    private let phone: WithdrawalPhone
    private let steps = LockedValue<[String]>([])

    init() throws { phone = try WithdrawalPhone(countsBadge: true) }

    /// Delivers a message, and returns the presented notification.
    private func presented(
        _ json: String, decision: Bool = true, attachmentFailure: PushCryptError? = nil
    ) throws -> PresentedNotification<Platform.Content> {
        let platform = Platform(steps: steps, attachmentFailure: attachmentFailure)
        let app = AppCallbacks(
            shouldShow: { [steps] _ in
                steps.withLock { $0.append("decide") }
                return decision
            },
            log: { [steps] event in
                if event.outcome == nil, let failure = event.failure {
                    steps.withLock { $0.append(failure.code.rawValue) }
                }
            })
        let handler = NotificationHandler(phone.opener(), timer: phone.clock)
        let result = LockedValue<PresentedNotification<Platform.Content>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let userInfo = try JSONSerialization.jsonObject(with: Data(phone.sealed(json))) as? [String: Any] ?? [:]
        let notification = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"), userInfo: userInfo, identifier: "request")
        handler.begin(notification, on: platform, for: app) {
            [steps] presented in
            steps.withLock { $0.append("present") }
            result.withLock { $0 = presented }
            done.signal()
        }
        done.wait()
        return try #require(result.withLock { $0 })
    }

    @Test("An opened message takes all steps in order") func openedMessageTakesAllSteps() throws {
        let result = try presented(phone.message("hello"))
        #expect(steps.withLock { $0 } == ["decide", "attach", "customize", "admit", "present"])
        #expect(result.content.content.body == "hello")
        #expect(result.content.content.subtitle == "for hello")
        #expect(result.content.content.badge == 1)
        #expect(result.content.files == ["picture"])
        #expect(result.outcome.push != nil)
    }

    @Test("A failing attachment leaves the content to the customization") func failingAttachmentIsLogged() throws {
        let failure = PushCryptError(.downloadFailed, "The host doesn't answer. Try again.")
        let result = try presented(phone.message("hello"), attachmentFailure: failure)
        #expect(steps.withLock { $0 } == ["decide", "attach", "download-failed", "customize", "admit", "present"])
        #expect(result.content.content.subtitle == "for hello")
        #expect(result.content.files.isEmpty)
    }

    @Test("A dropped message is neither attached to nor customized") func droppedMessageTakesNoFurtherStep() throws {
        let result = try presented(phone.message("hello"), decision: false)
        #expect(steps.withLock { $0 } == ["decide", "present"])
        #expect(result.content == Platform.Content(content: NotificationContent()))
        #expect(result.outcome.isDropped)
    }

    @Test("Reduced content is decided on, and isn't customized") func reducedContentIsNotCustomized() throws {
        try phone.shared.setDisplay(.titleOnly)
        let result = try presented(phone.message("hello"))
        #expect(steps.withLock { $0 } == ["decide", "admit", "present"])
        #expect(result.content.content.title == "title")
        #expect(result.content.content.body != "hello")
        #expect(result.content.files.isEmpty)
    }

    @Test("The fallback is presented without any other step") func fallbackIsOnlyPresented() throws {
        let platform = Platform(steps: steps)
        let handler = NotificationHandler(phone.opener(), timer: phone.clock)
        let done = DispatchSemaphore(value: 0)
        let bodies = LockedValue<[String]>([])
        let forged = try DeliveredNotification(json: #"{"aps":{"alert":"forged"}}"#)
        handler.begin(forged, on: platform, for: handler.app) { presented in
            bodies.withLock { $0.append(presented.content.content.body) }
            done.signal()
        }
        done.wait()
        #expect(bodies.withLock { $0 } == ["(Encrypted)"])
        #expect(steps.withLock { $0 }.isEmpty)
    }
}

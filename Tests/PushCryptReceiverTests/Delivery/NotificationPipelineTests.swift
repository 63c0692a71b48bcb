import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The steps of a notification, on a host that records them.
@Suite(.ownThread) struct NotificationPipelineTests {
    /// A host with attachments, whose content is a body and a list of files.
    struct Host: NotificationHost {
        struct Content: SystemContent, Equatable {
            var content: NotificationContent
            var files: [String] = []
            let steps: LockedValue<[String]>

            var text: NotificationContent { content }
            var silent: any SystemContent { self }

            func source(from carrier: Carrier) -> ReceiptSource? { nil }

            func finished(badge: Int?, receipt: String?) -> any SystemContent {
                steps.withLock { $0.append("finish") }
                var finished = self
                finished.content.badge = badge
                return finished
            }

            static func == (one: Content, other: Content) -> Bool {
                one.content == other.content && one.files == other.files
            }
        }

        let steps: LockedValue<[String]>
        var decision = true
        var attachmentFailure: PushCryptError?
        var report: @Sendable (PushEvent) -> Void = { _ in }

        var hasSteps: Bool { true }
        var list: (any DeliveredList)? { nil }

        func displayedNotifications() async -> [DisplayedNotification] { [] }

        func object(for content: NotificationContent) -> any SystemContent {
            Content(content: content, steps: steps)
        }

        func shouldShow(_ push: OpenedPush) async throws -> Bool {
            steps.withLock { $0.append("decide") }
            return decision
        }

        func attach(
            to content: any SystemContent, from push: OpenedPush, timeout: TimeInterval
        ) async throws(PushCryptError) -> (any SystemContent)? {
            steps.withLock { $0.append("attach") }
            if let attachmentFailure { throw attachmentFailure }
            return Content(content: content.text, files: ["picture"], steps: steps)
        }

        func customize(_ draft: NotificationDraft) async throws -> any SystemContent {
            steps.withLock { $0.append("customize") }
            guard var customized = draft.content as? Content else { return draft.content }
            customized.content.subtitle = "for \(draft.original.body)"
            return customized
        }

        func log(_ event: PushEvent) {
            if event.outcome == nil, let failure = event.failure {
                steps.withLock { $0.append(failure.code.rawValue) }
            }
            report(event)
        }
    }

    private let phone: DisplayPhone
    private let steps = LockedValue<[String]>([])

    init() throws { phone = try DisplayPhone(hasFilteringEntitlement: true) }

    /// Delivers a notification, and returns the presented one.
    private func presented(_ notification: DeliveredNotification, _ host: Host) throws -> Presented
    {
        let result = LockedValue<Presented?>(nil)
        let done = DispatchSemaphore(value: 0)
        phone.inbox({ $0.countsBadge = true }).begin(notification, with: host) {
            [steps] presented in
            steps.withLock { $0.append("present") }
            result.withLock { $0 = presented }
            done.signal()
        }
        done.wait()
        return try #require(result.withLock { $0 })
    }

    /// Delivers a message, and returns the presented notification.
    private func presented(
        _ json: String, decision: Bool = true, attachmentFailure: PushCryptError? = nil
    ) throws -> Presented {
        let notification = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: try systemDictionary(phone.sealed(json)),
            identifier: "request")
        return try presented(
            notification,
            Host(steps: steps, decision: decision, attachmentFailure: attachmentFailure))
    }

    private func files(of presented: Presented) -> [String]? {
        (presented.object as? Host.Content)?.files
    }

    @Test("An opened message takes all steps in order") func openedMessageTakesAllSteps() throws {
        let result = try presented(phone.message("hello"))
        #expect(steps.withLock { $0 } == ["decide", "attach", "customize", "finish", "present"])
        #expect(result.content.body == "hello")
        #expect(result.content.subtitle == "for hello")
        #expect(result.content.badge == 1)
        #expect(files(of: result) == ["picture"])
        #expect(result.outcome.push != nil)
    }

    @Test("A failing attachment leaves the content to the customization")
    func failingAttachmentIsLogged() throws {
        let failure = PushCryptError(.downloadFailed, "The host doesn't answer. Try again.")
        let result = try presented(phone.message("hello"), attachmentFailure: failure)
        #expect(
            steps.withLock { $0 } == [
                "decide", "attach", "download-failed", "customize", "finish", "present",
            ])
        #expect(result.content.subtitle == "for hello")
        #expect(files(of: result) == [])
    }

    @Test("A dropped message is neither attached to nor customized")
    func droppedMessageTakesNoFurtherStep() throws {
        let result = try presented(phone.message("hello"), decision: false)
        #expect(steps.withLock { $0 } == ["decide", "present"])
        #expect(result.content == NotificationContent() && files(of: result) == [])
        #expect(result.outcome.isDropped)
    }

    @Test("Reduced content is decided on, and isn't customized")
    func reducedContentIsNotCustomized() throws {
        try phone.inbox.setDisplay(.titleOnly)
        let result = try presented(phone.message("hello"))
        #expect(steps.withLock { $0 } == ["decide", "finish", "present"])
        #expect(result.content.title == "Bob")
        #expect(result.content.body != "hello")
        #expect(files(of: result) == [])
    }

    @Test("The fallback is presented without any other step") func fallbackIsOnlyPresented() throws
    {
        let forged = try DeliveredNotification(json: #"{"aps":{"alert":"forged"}}"#)
        #expect(try presented(forged, Host(steps: steps)).content.body == "(Encrypted)")
        #expect(steps.withLock { $0 } == ["present"])
    }
}

import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@Suite(.ownThread) struct DroppingTests {
    private let phone: WithdrawalPhone

    init() throws { phone = try WithdrawalPhone() }

    private typealias Presented = PresentedNotification<NotificationContent>

    private func result(
        hasFilteringEntitlement: Bool, log: DeliveryLog? = nil, dropped: String = "quiet",
        _ shouldShow: @escaping @Sendable (OpenedPush) async throws -> Bool
    ) throws -> Presented? {
        let recorded = LockedValue<[Presented]>([])
        // The delivery log is written after the hand-over, and before the event.
        let done = DispatchSemaphore(value: 0)
        let opener = phone.opener(
            hasFilteringEntitlement: hasFilteringEntitlement, fallback: FallbackText("f", dropped: dropped))
        let handler = NotificationHandler(
            opener, timer: phone.clock, customization: { content, _ in content }, shouldShow: shouldShow,
            deliveryLog: log, log: { if $0.outcome != nil { done.signal() } })
        let json = #"{"aps":{"alert":"text","sound":"loud","badge":3,"category":"c"}}"#
        let notification = try DeliveredNotification(json: phone.sealed(json))
        let platform = NeutralPlatform(notification, customization: handler.customization)
        handler.begin(notification, on: platform, for: handler.app) { presented in
            recorded.withLock { $0.append(presented) }
        }
        done.wait()
        handler.expire()
        #expect(recorded.withLock { $0.count } == 1)
        return recorded.withLock { $0.first }
    }

    @Test("With the entitlement, a dropped message displays nothing, and the log counts it")
    func droppedMessageDisplaysNothing() throws {
        let log = DeliveryLog(path: phone.scratch.file("log"), time: phone.clock)
        let result = try #require(try result(hasFilteringEntitlement: true, log: log) { _ in false })
        #expect(result.content == NotificationContent())
        #expect(result.outcome.isDropped)
        #expect(result.outcome.push != nil)
        phone.clock.advance(by: 100)
        let summary = try JSONSerialization.jsonObject(with: JSONEncoder().encode(log.summary())) as? [String: Any]
        #expect(summary?["dropped"] as? Int == 1)
        #expect(summary?["opened"] as? Int == 0)
        #expect(try log.summary().diagnoses.isEmpty)
    }

    @Test("Without the entitlement, a dropped message displays the quietest text")
    func droppedMessageDisplaysAQuietText() throws {
        let result = try #require(try result(hasFilteringEntitlement: false) { _ in false })
        var expected = NotificationContent(body: "quiet")
        expected.interruptionLevel = .passive
        #expect(result.content == expected)
        // The system would ignore an empty text.
        let standard = try self.result(hasFilteringEntitlement: false, dropped: "") { _ in false }
        #expect(standard?.content.body == "(Removed)")
    }

    @Test("A decision that throws or is too slow displays the text", arguments: [true, false])
    func decisionThatFailsDisplaysTheText(isSlow: Bool) throws {
        let clock = phone.clock
        let result = try result(hasFilteringEntitlement: true) { _ in
            if isSlow {
                clock.advance(by: 30)
                try await Task.sleep(nanoseconds: 60_000_000_000)
            }
            throw CocoaError(.fileReadUnknown)
        }
        #expect(result?.content.body == "text")
        #expect(result?.outcome.isDropped == false)
    }

    @Test("A dropped message with the quietest text isn't opened again", arguments: [false, true])
    func droppedMessageIsNotOpenedAgain(keepsUserInfoSealed: Bool) throws {
        let opener = phone.opener(
            hasFilteringEntitlement: false, fallback: FallbackText("f", dropped: "quiet"),
            keepsUserInfoSealed: keepsUserInfoSealed)
        let payload = try phone.sealed(phone.message("text"))
        let userInfo = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any] ?? [:]
        let dropped = DeliveredNotification(
            content: NotificationContent(body: "quiet"), userInfo: userInfo, identifier: "a")
        #expect(opener.reopen(dropped, phone) == nil)
        let fallback = DeliveredNotification(
            content: NotificationContent(body: "f"), userInfo: userInfo, identifier: "a")
        #expect(opener.reopen(fallback, phone)?.content.body == "text")
    }

    @Test("An app without a customization can drop a message") func appWithoutACustomizationDrops() throws {
        let recorder = ContentHandlerRecorder()
        let handler = NotificationHandler(phone.opener(), timer: phone.clock, shouldShow: { _ in false })
        handler.handle(try DeliveredNotification(json: phone.sealed(phone.message("text"))), handler: recorder.handler)
        #expect(recorder.wait(seconds: 600) == NotificationContent())
    }

    @Test("A fallback is never dropped") func fallbackIsNeverDropped() throws {
        let asked = LockedValue(false)
        let opener = NotificationOpener(
            Opener(keys: InMemoryKeyStore([try TestKeys.device(.bob)]), senderPolicy: .anyone),
            hasFilteringEntitlement: true)
        let recorder = ContentHandlerRecorder()
        let handler = NotificationHandler(
            opener,
            shouldShow: { _ in
                asked.withLock { $0 = true }
                return false
            })
        handler.handle(try DeliveredNotification(json: phone.sealed(phone.message("text"))), handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "(Encrypted)")
        #expect(!asked.withLock { $0 })
    }
}

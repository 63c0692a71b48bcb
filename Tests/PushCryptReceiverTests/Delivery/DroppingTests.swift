import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

@Suite(.ownThread) struct DroppingTests {
    private let phone: DisplayPhone

    init() throws { phone = try DisplayPhone() }

    private let json = #"{"aps":{"alert":"text","sound":"loud","badge":3,"category":"c"}}"#

    private func result(
        hasFilteringEntitlement: Bool, dropped: String = "quiet",
        _ shouldShow: @escaping @Sendable (OpenedPush) async throws -> Bool
    ) throws -> Presented? {
        let recorded = LockedValue<[Presented]>([])
        let done = DispatchSemaphore(value: 0)
        let inbox = phone.inbox {
            $0.hasFilteringEntitlement = hasFilteringEntitlement
            $0.fallback = FallbackText("f", dropped: dropped)
        }
        let app = NeutralHost.App(
            shouldShow: shouldShow, customization: { content, _ in content },
            log: { if $0.outcome != nil { done.signal() } })
        let notification = try DeliveredNotification(json: phone.sealed(json))
        inbox.begin(notification, with: NeutralHost(notification, app: app)) { presented in
            recorded.withLock { $0.append(presented) }
        }
        done.wait()
        inbox.expire()
        #expect(recorded.withLock { $0.count } == 1)
        return recorded.withLock { $0.first }
    }

    @Test("With the entitlement, a dropped message displays nothing, and the log counts it")
    func droppedMessageDisplaysNothing() throws {
        let result = try #require(try result(hasFilteringEntitlement: true) { _ in false })
        #expect(result.content == NotificationContent())
        #expect(result.outcome.isDropped)
        #expect(result.outcome.push != nil)
        phone.clock.advance(by: 100)
        let counts = try phone.inbox.summary()
        let summary =
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(counts)) as? [String: Any]
        #expect(summary?["dropped"] as? Int == 1)
        #expect(summary?["opened"] as? Int == 0)
        #expect(counts.diagnoses.isEmpty)
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
        // Without receipts, only the words tell.
        let phone = try DisplayPhone(isPrepared: false)
        let inbox = phone.inbox {
            $0.secrets = nil
            $0.fallback = FallbackText("f", dropped: "quiet")
            $0.keepsUserInfoSealed = keepsUserInfoSealed
        }
        let userInfo = try systemDictionary(phone.sealed(phone.message("text")))
        let dropped = DeliveredNotification(
            content: NotificationContent(body: "quiet"), userInfo: userInfo, identifier: "a")
        #expect(inbox.reopen(dropped, list: phone) == nil)
        let fallback = DeliveredNotification(
            content: NotificationContent(body: "f"), userInfo: userInfo, identifier: "a")
        #expect(inbox.reopen(fallback, list: phone)?.content.body == "text")
    }

    @Test("An app without a customization can drop a message") func appWithoutACustomizationDrops()
        throws
    {
        let recorder = ContentHandlerRecorder()
        phone.inbox({ $0.hasFilteringEntitlement = true }).handle(
            try DeliveredNotification(json: phone.sealed(json)), shouldShow: { _ in false },
            handler: recorder.handler)
        #expect(recorder.wait(seconds: 600) == NotificationContent())
    }

    @Test("A fallback is never dropped") func fallbackIsNeverDropped() throws {
        let asked = LockedValue(false)
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([try TestKeys.device(.bob)]), senderPolicy: .anyone)
        configuration.hasFilteringEntitlement = true
        let recorder = ContentHandlerRecorder()
        PushInbox(configuration).handle(
            try DeliveredNotification(json: phone.sealed(json)),
            shouldShow: { _ in
                asked.withLock { $0 = true }
                return false
            }, handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "(Encrypted)")
        #expect(!asked.withLock { $0 })
    }
}

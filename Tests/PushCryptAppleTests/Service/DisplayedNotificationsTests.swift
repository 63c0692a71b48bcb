// Only stand-ins of notifications can be created by a test.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// Withdrawals, dropped messages, reduced displays and badges, as the system sees them.
@Suite(.ownThread, .exclusive("notification center")) struct DisplayedNotificationsTests {
    private let requests: Requests
    private let scratch: Scratch
    private let center = TestNotificationCenter.current
    private var setting: TestService.Setting

    init() throws {
        requests = try Requests()
        scratch = try Scratch()
        setting = TestService.Setting(
            keys: InMemoryKeyStore([requests.device]),
            senderPolicy: .signed(by: [requests.server.publicKey]),
            directory: scratch.path,
            fallback: FallbackText("f", hidden: "New message", dropped: "quiet"),
            hasFilteringEntitlement: true)
    }

    private var inbox: PushInbox { setting.inbox }

    private func show(
        _ json: String, _ identifier: String = UUID().uuidString, _ service: TestService? = nil
    ) throws -> UNNotificationContent {
        let push = try Sealer(.signed(by: requests.server)).seal(
            json: json.utf8, for: requests.device.publicKey)
        let request = try requests.request(push.data, identifier: identifier)
        let recorder = ContentRecorder()
        (service ?? TestService(setting)).didReceive(request, withContentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        if !content.body.isEmpty {
            center.add(
                UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
        }
        return content
    }

    private static let original = #"""
        {"aps":{"alert":{"title":"canary-title","subtitle":"canary-subtitle","body":"canary-body",\#
        "launch-image":"canary-image"},"badge":4711,"sound":{"critical":1,"name":"canary-sound","volume":0.4711},\#
        "thread-id":"canary-thread","category":"canary-category","target-content-id":"canary-target",\#
        "interruption-level":"critical","relevance-score":0.4711,"filter-criteria":"canary-filter"},\#
        "canary-key":"canary-value"}
        """#

    /// Each property of the system's content as text.
    private func texts(_ content: UNNotificationContent) -> [String] {
        [
            content.title, content.subtitle, content.body, content.launchImageName,
            content.threadIdentifier,
            content.categoryIdentifier, content.targetContentIdentifier ?? "",
            content.filterCriteria ?? "",
            "\(content.badge ?? 0)", "\(content.relevanceScore)",
            "\(String(describing: content.sound))",
            "\(content.interruptionLevel.rawValue)", "\(content.userInfo)",
            "\(content.attachments)",
        ]
    }

    @Test("Under nothing, no property has a byte of the original") func nothingIsHandedOver() throws
    {
        #expect(
            texts(try show(Self.original)).count { $0.contains("canary") || $0.contains("4711") }
                == 11)
        try inbox.setDisplay(.nothing)
        let content = try show(Self.original)
        #expect(!texts(content).contains { $0.contains("canary") || $0.contains("4711") })
        #expect(content.body == "New message")
        #expect(content.userInfo["ENCRYPTED_DATA"] != nil, "the app opens it again")
        try inbox.setDisplay(.titleOnly)
        #expect(try show(Self.original).title == "canary-title")
    }

    @Test("With the entitlement, a dropped message hands over empty content")
    func droppedMessageIsEmpty() throws {
        var setting = setting
        setting.shows = false
        let content = try show(Self.original, "dropped", TestService(setting))
        #expect(texts(content) == texts(UNNotificationContent()))
        setting.hasFilteringEntitlement = false
        let quiet = try show(Self.original, "quiet", TestService(setting))
        #expect(quiet.body == "quiet" && quiet.title.isEmpty && quiet.sound == nil)
        #expect(quiet.interruptionLevel == .passive)
        #expect(!texts(quiet).contains { $0.contains("canary") })
    }

    @Test("A withdrawal removes the notification from the system before it's handed over")
    func withdrawalRemovesTheNotification() throws {
        let id = UUID().uuidString
        let kept = UUID().uuidString
        _ = try show(#"{"aps":{"alert":"a","thread-id":"x"}}"#, id)
        _ = try show(#"{"aps":{"alert":"b","thread-id":"y"}}"#, kept)
        let content = try show(#"{"thread-ids":["x"]}"#)
        #expect(texts(content) == texts(UNNotificationContent()))
        #expect(center.removed.contains(id))
        #expect(!center.removed.contains(kept))
        #expect(try inbox.count() == 1)
    }

    @Test("The app withdraws what the user has read, and counts the rest") func appWithdraws()
        async throws
    {
        let id = UUID().uuidString
        var setting = setting
        setting.countsBadge = true
        let first = try show(#"{"aps":{"alert":"a","thread-id":"x"}}"#, id, TestService(setting))
        #expect(first.badge == 1)
        let second = try show(
            #"{"aps":{"alert":"b","thread-id":"y"}}"#, UUID().uuidString, TestService(setting))
        #expect(second.badge == 2 && second.body == "b" && second.userInfo["aps"] != nil)
        try await setting.inbox.withdraw(Withdrawal(threadIDs: ["x"]), issuedUntil: Date() + 1)
        #expect(center.removed.contains(id))
        #expect(center.badge == 1)
        #expect(try inbox.count() == 1)
        try inbox.clear()
        #expect(try inbox.count() == 0)
    }

    @Test("What was withdrawn while the device was locked is removed, not reopened")
    func withdrawnFallbackIsRemoved() async throws {
        let id = UUID().uuidString
        let withdrawalID = UUID().uuidString
        var locked = setting
        locked.keys = TestKeyStore(.failure(PushCryptError(.deviceLocked, "locked")))
        let service = TestService(locked)
        let fallbacks = try [
            (#"{"collapse-ids":["\#(id)"]}"#, withdrawalID), (#"{"aps":{"alert":"a"}}"#, id),
        ].map {
            let content = try show($0.0, $0.1, service)
            #expect(content.body == "f")
            return UNNotification(
                date: Date(),
                request: UNNotificationRequest(identifier: $0.1, content: content, trigger: nil))
        }
        let inbox = inbox
        // The message was issued after the withdrawal.
        #expect(await inbox.reopened([fallbacks[0]]).isEmpty)
        #expect(await inbox.reopened([fallbacks[1]]).map(\.content.body) == ["a"])
        #expect(eventually { center.removed.contains(withdrawalID) })
        #expect(!center.removed.contains(id))
        // A later withdrawal acts on it.
        try await inbox.withdraw(Withdrawal(collapseIDs: [id]), issuedUntil: Date() + 1)
        #expect(center.removed.contains(id))
        #expect(await inbox.reopened([fallbacks[1]]).isEmpty)
        #expect(eventually { center.removed.count { $0 == id } > 1 })
    }
}
#endif

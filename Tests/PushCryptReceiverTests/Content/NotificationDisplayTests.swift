import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

@Suite(.ownThread) struct NotificationDisplayTests {
    private let phone: WithdrawalPhone

    init() throws { phone = try WithdrawalPhone() }

    /// Each of Apple's attributes, with a text that is in no other place.
    private let original = #"""
        {"aps":{"alert":{"title":"canary-title","subtitle":"canary-subtitle","body":"canary-body",\#
        "launch-image":"canary-image"},"badge":4711,"sound":{"critical":1,"name":"canary-sound","volume":0.4711},\#
        "thread-id":"canary-thread","category":"canary-category","target-content-id":"canary-target",\#
        "interruption-level":"critical","relevance-score":0.4711,"filter-criteria":"canary-filter"},"canary-key":"canary"}
        """#

    private func shown(_ display: NotificationDisplay, keepingSealed: Bool = false) throws
        -> NotificationContent
    {
        try phone.inbox().setDisplay(display)
        return try phone.deliver(
            phone.sealed(original), UUID().uuidString,
            with: phone.inbox(
                fallback: FallbackText("f", hidden: "New message"),
                keepsUserInfoSealed: keepingSealed)
        ).content
    }

    @Test("Nothing of the original is displayed", arguments: [true, false])
    func nothingOfTheOriginalIsDisplayed(keepingSealed: Bool) throws {
        let content = try shown(.nothing, keepingSealed: keepingSealed)
        var expected = NotificationContent(body: "New message")
        expected.sound = .normal(nil)
        #expect(content == expected)
        #expect(try shown(.full).body == "canary-body")
    }

    @Test("The title is displayed with a text of the app") func titleIsDisplayed() throws {
        let content = try shown(.titleOnly)
        #expect(content.title == "canary-title")
        #expect(content.subtitle.isEmpty)
        #expect(content.body == "New message")
        #expect(content.threadIdentifier == "canary-thread")
        #expect(content.categoryIdentifier == "canary-category")
        #expect(content.badge == 4711)
        #expect(content.sound == .critical("canary-sound", volume: 0.4711))
        #expect(content.interruptionLevel == .critical)
        #expect(content.relevanceScore == 0.4711)
        #expect(content.launchImageName.isEmpty)
        #expect(content.originalPayload == nil, "userInfo stays sealed")
    }

    @Test("The whole original is displayed unless the app has set less") func fullIsTheDefault()
        throws
    {
        #expect(phone.inbox().display == .full)
        try phone.inbox().setDisplay(.full)
        #expect(try shown(.full).body == "canary-body")
    }

    @Test("A setting that can't be read displays nothing") func unreadableSettingDisplaysNothing()
        throws
    {
        try phone.inbox().setDisplay(.titleOnly)
        let path = phone.scratch.file("pushcrypt.display")
        #expect(phone.inbox().display == .titleOnly)
        for bytes in [[], [0, 0, 0, 0], Array("another file".utf8), Array("fulL".utf8)] as [[UInt8]]
        {
            phone.scratch.write(bytes, to: "pushcrypt.display")
            #expect(phone.inbox().display == .nothing, "\(bytes)")
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(phone.inbox().display == .nothing)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: PushCryptError.self) {
            try phone.inbox { $0.directory = "/missing/directory" }.setDisplay(.full)
        }
    }

    @Test("A customization isn't called in a reduced display, but the app may drop the message")
    func customizationIsNotCalled() throws {
        let called = LockedValue<[String]>([])
        for (display, expected) in [
            (.full, ["asked", "customized"]), (.titleOnly, ["asked"]), (.nothing, ["asked"]),
        ] as [(NotificationDisplay, [String])] {
            try phone.inbox().setDisplay(display)
            called.withLock { $0 = [] }
            let done = DispatchSemaphore(value: 0)
            phone.inbox().handle(
                try DeliveredNotification(json: phone.sealed(original)),
                shouldShow: { _ in
                    called.withLock { $0.append("asked") }
                    return true
                },
                customization: { content, _ in
                    called.withLock { $0.append("customized") }
                    return content
                }, handler: { _ in done.signal() })
            done.wait()
            #expect(called.withLock { $0 } == expected)
        }
    }

    @Test("A text of its own stands for a device that wasn't unlocked after a restart")
    func lockedDeviceHasAText() throws {
        let locked = TestKeyStore(.failure(PushCryptError(.deviceLocked, "locked")))
        let inbox = phone.inbox {
            $0.accounts = [PushAccount("", keys: locked, senderPolicy: .anyone)]
            $0.fallback = FallbackText(
                "f", removedAccount: "r", locked: "You may have new messages")
        }
        let delivered = try DeliveredNotification(json: phone.sealed(original))
        #expect(inbox.open(delivered).content.body == "You may have new messages")
        // The app knows by the text what to open again.
        let unlocked = phone.inbox(
            fallback: FallbackText("f", locked: "You may have new messages"),
            keepsUserInfoSealed: true)
        let fallback = DeliveredNotification(
            content: NotificationContent(body: "You may have new messages"),
            userInfo: try JSONSerialization.jsonObject(with: Data(phone.sealed(original)))
                as? [String: Any] ?? [:])
        #expect(unlocked.reopen(fallback, list: phone)?.content.body == "canary-body")
    }

    @Test("A reduced notification isn't opened again", arguments: ["", "New message"])
    func reducedNotificationIsNotOpenedAgain(hidden: String) throws {
        let inbox = phone.inbox(fallback: FallbackText("f", hidden: hidden))
        for display in [NotificationDisplay.titleOnly, .nothing] {
            try phone.inbox().setDisplay(display)
            let payload = try phone.sealed(original)
            let userInfo =
                try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any] ?? [:]
            let shown = try phone.deliver(payload, "a", with: inbox)
            let delivered = DeliveredNotification(
                content: shown.content, userInfo: userInfo, identifier: "a")
            // The app opens it for the first time.
            let other = try Scratch()
            let app = phone.inbox {
                $0.fallback = FallbackText("f", hidden: hidden)
                $0.directory = other.path
            }
            try app.setDisplay(display)
            #expect(app.reopen(delivered, list: phone) == nil)
            // The placeholder is.
            let placeholder = DeliveredNotification(
                content: NotificationContent(body: "(Encrypted)"), userInfo: userInfo,
                identifier: "b")
            #expect(app.reopen(placeholder, list: phone)?.content == shown.content.silent)
        }
    }

    @Test("A payload that isn't sealed is reduced, too") func unsealedPayloadIsReduced() throws {
        let json =
            #"{"aps":{"alert":{"title":"canary-title","body":"canary-body"},"thread-id":"canary"}}"#
        let inbox = phone.inbox {
            $0.fallback = FallbackText("f", hidden: "New message")
            $0.unsealedPayloads = .allow
        }
        #expect(
            inbox.open(try DeliveredNotification(json: json.utf8)).content.body == "canary-body")
        try phone.inbox().setDisplay(.titleOnly)
        #expect(
            inbox.open(try DeliveredNotification(json: json.utf8)).content.title == "canary-title")
        try phone.inbox().setDisplay(.nothing)
        let content = inbox.open(try DeliveredNotification(json: json.utf8)).content
        #expect([content.title, content.subtitle, content.body] == ["", "", "New message"])
        #expect(content.threadIdentifier.isEmpty && content.keepsDeliveredMembers)
    }

    @Test("The badge counts displayed notifications on the device")
    func badgeCountsDisplayedNotifications() throws {
        let phone = try WithdrawalPhone(countsBadge: true)
        func badge(_ identifier: String, _ json: String, for account: String = "one") throws -> Int?
        {
            phone.clock.advance(by: 10)
            return try phone.deliver(phone.sealed(json, at: 0, for: account), identifier).content
                .badge
        }
        #expect(try badge("a", phone.message("1")) == 1)
        #expect(try badge("b", phone.message("2"), for: "two") == 2)
        #expect(try badge("a", phone.message("replaces the first")) == 2)
        #expect(try badge("c", #"{"aps":{"alert":"own badge","badge":7}}"#) == 7)
        #expect(try phone.inbox().count() == 3)
        #expect(try badge("w", #"{"collapse-ids":["a"]}"#) == nil)
        #expect(phone.badge == 2)
        try phone.inbox().clear()
        #expect(try phone.inbox().count() == 0)
        #expect(try badge("d", phone.message("4")) == 1)
    }
}

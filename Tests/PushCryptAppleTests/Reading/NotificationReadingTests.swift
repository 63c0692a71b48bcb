// A test can only create stand-ins. The system creates the real objects.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// Readers of a system's notification.
@Suite(.ownThread) struct NotificationReadingTests {
    private let push: DeliveredPush

    init() throws {
        push = try DeliveredPush()
    }

    private func notification(_ userInfo: [AnyHashable: Any]) -> UNNotification {
        let content = UNMutableNotificationContent()
        content.userInfo = userInfo
        return UNNotification(
            date: Date(),
            request: UNNotificationRequest(identifier: "1", content: content, trigger: nil))
    }

    @Test("A sealed notification opens each time it's read")
    func sealedNotificationOpensEachTimeItsRead() throws {
        for policy in [UnsealedPayloads.reject, .allow] {
            let inbox = push.inbox(policy)
            for _ in 0..<2 {
                let reader = try inbox.read(notification(push.sealed))
                #expect(reader.isOpened)
                #expect(String(decoding: reader.json, as: UTF8.self) == DeliveredPush.json)
            }
        }
    }

    @Test("An unsealed notification is treated by the app's policy")
    func unsealedNotificationIsTreatedByThePolicy() throws {
        #expect(throws: PushCryptError(.notSealed, "")) {
            try push.inbox(.reject).read(notification(push.clear))
        }
        let reader = try push.inbox(.allow).read(notification(push.clear))
        #expect(!reader.isOpened)
        #expect(try reader.custom("order", as: Int.self) == 7)
    }

    // MARK: New messages

    /// Returns the displayed notification after an extension has run.
    private func displayed(_ configuration: PushConfiguration, _ identifier: String) throws
        -> UNNotification
    {
        let delivered = notification(push.sealed).request.content
        let recorder = ContentRecorder()
        PushInbox(configuration).handle(
            UNNotificationRequest(identifier: identifier, content: delivered, trigger: nil),
            contentHandler: recorder.handler)
        let shown = UNNotificationRequest(
            identifier: identifier, content: try #require(recorder.wait()), trigger: nil)
        return UNNotification(date: Date(), request: shown)
    }

    @Test("A message is new once, for the app's process", arguments: [true, false])
    func messageIsNewOnce(keepsSealed: Bool) throws {
        var configuration = push.configuration
        configuration.secrets = try TestSecrets.store()
        configuration.keepsUserInfoSealed = keepsSealed
        let inbox = PushInbox(configuration)
        // The response of the user doesn't make it old.
        let first = try displayed(configuration, "1")
        let tap = UNNotificationResponse(
            notification: first, actionIdentifier: UNNotificationDefaultActionIdentifier)
        #expect(inbox.read(tap).reader?.isNew == false)
        let reader = try inbox.read(first)
        #expect(reader.isNew && reader.state == .asSealed && reader.isOpened == keepsSealed)
        #expect(try !inbox.read(first).isNew)
        // A copy under another identifier has a receipt of its own.
        let copy = try inbox.read(displayed(configuration, "2"))
        #expect(!copy.isNew && copy.state == .asSealed)
        #expect(try PushInbox(configuration).read(first).isNew)
    }

    @Test("A text that no receipt proves isn't new") func forgedTextIsNotNew() throws {
        var configuration = push.configuration
        configuration.secrets = try TestSecrets.store()
        let inbox = PushInbox(configuration)
        let forged = try inbox.read(notification(push.sealed))
        #expect(forged.isOpened && !forged.isNew && forged.state == .notByUs)
        // It doesn't use up the message.
        #expect(try inbox.read(displayed(configuration, "1")).isNew)
    }

    @Test("A response is read even if the message can't be") func responseIsRead() throws {
        let inbox = push.inbox(.reject)
        let tap = UNNotificationResponse(
            notification: notification(push.clear),
            actionIdentifier: UNNotificationDefaultActionIdentifier)
        let response = inbox.read(tap)
        #expect(response.isTap && response.failure?.code == .notSealed && !response.isAccepted())
        let dismissal = UNNotificationResponse(
            notification: notification(push.sealed),
            actionIdentifier: UNNotificationDismissActionIdentifier)
        #expect(!inbox.read(dismissal).isTap && inbox.read(dismissal).reader?.isOpened == true)
    }
}
#endif

// A test can only create stand-ins. The system creates the real objects.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// Readers of a system's notification.
@Suite struct NotificationReadingTests {
    private let push: DeliveredPush

    init() throws {
        push = try DeliveredPush()
    }

    private func notification(_ userInfo: [AnyHashable: Any]) -> UNNotification {
        let content = UNMutableNotificationContent()
        content.userInfo = userInfo
        return UNNotification(
            date: Date(), request: UNNotificationRequest(identifier: "1", content: content, trigger: nil))
    }

    @Test("A sealed notification opens each time it's read") func sealedNotificationOpensEachTimeItsRead() throws {
        for policy in [UnsealedPayloads.reject, .allow] {
            let reader = try PayloadReader(notification(push.sealed), opener: push.opener, unsealed: policy)
            #expect(reader.isOpened)
            #expect(String(decoding: reader.json, as: UTF8.self) == DeliveredPush.json)
        }
    }

    @Test("An unsealed notification is treated by the caller's policy")
    func unsealedNotificationIsTreatedByTheCallersPolicy() throws {
        #expect(throws: PushCryptError(.notSealed, "")) {
            try PayloadReader(notification(push.clear), opener: push.opener, unsealed: .reject)
        }
        let reader = try PayloadReader(notification(push.clear), opener: push.opener, unsealed: .allow)
        #expect(!reader.isOpened)
        #expect(try reader.custom("order", as: Int.self) == 7)
    }
}
#endif

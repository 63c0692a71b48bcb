// Only stand-ins can be made by a test: the real objects come from the system.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// A notification is read as its dictionary is.
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

    @Test func whatIsSealedIsOpenedAsOftenAsItIsRead() throws {
        for policy in [UnsealedPayloads.reject, .allow] {
            let reader = try PayloadReader(notification(push.sealed), opener: push.opener, unsealed: policy)
            #expect(reader.isOpened)
            #expect(String(decoding: reader.json, as: UTF8.self) == DeliveredPush.json)
        }
    }

    @Test func whatIsNotSealedIsTakenAsTheCallerSays() throws {
        #expect(throws: PushCryptError(.notSealed, "")) {
            try PayloadReader(notification(push.clear), opener: push.opener, unsealed: .reject)
        }
        let reader = try PayloadReader(notification(push.clear), opener: push.opener, unsealed: .allow)
        #expect(!reader.isOpened)
        #expect(try reader.custom("order", as: Int.self) == 7)
    }
}
#endif

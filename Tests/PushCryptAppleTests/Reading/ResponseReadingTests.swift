// Only stand-ins can be made by a test: the real objects come from the system.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// A response is read as its notification is.
@Suite struct ResponseReadingTests {
    private let push: DeliveredPush

    init() throws {
        push = try DeliveredPush()
    }

    private func response(
        _ userInfo: [AnyHashable: Any], _ action: String = UNNotificationDefaultActionIdentifier
    ) -> UNNotificationResponse {
        let content = UNMutableNotificationContent()
        content.userInfo = userInfo
        let request = UNNotificationRequest(identifier: "1", content: content, trigger: nil)
        return UNNotificationResponse(
            notification: UNNotification(date: Date(), request: request), actionIdentifier: action)
    }

    @Test(arguments: [UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier, "reply"])
    func everyAnswerIsRead(action: String) throws {
        let reader = try PayloadReader(response(push.sealed, action), opener: push.opener, unsealed: .reject)
        #expect(reader.isOpened)
        #expect(String(decoding: reader.json, as: UTF8.self) == DeliveredPush.json)
    }

    @Test func whatIsNotSealedIsTakenAsTheCallerSays() throws {
        #expect(throws: PushCryptError(.notSealed, "")) {
            try PayloadReader(response(push.clear), opener: push.opener, unsealed: .reject)
        }
        let reader = try PayloadReader(response(push.clear), opener: push.opener, unsealed: .allow)
        #expect(!reader.isOpened)
    }
}
#endif

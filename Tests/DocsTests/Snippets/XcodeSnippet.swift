// Docs/Xcode.md: compiled here, and the same there. The first block is that of the README.
import Foundation
import PushCryptApple
import UIKit
import UserNotifications

@testable import DocsExamples

class XcodeSnippetService: SealedNotificationService {
    private func contactName(_ sender: String) async throws -> String { sender }
    private func picture(_ sender: String) async throws -> UNNotificationAttachment {
        try UNNotificationAttachment(identifier: sender, url: URL(fileURLWithPath: "/nowhere.png"), options: nil)
    }

    // begin
    override func customizedContent(for notification: OpenedNotification) async throws -> UNNotificationContent {
        let sender = try PayloadReader(notification.push).custom("sender", as: String.self)
        notification.content.title = try await contactName(sender)
        notification.keep(notification.content)
        notification.content.attachments = [try await picture(sender)]
        return notification.content
    }
    // end
}

@MainActor enum XcodeSnippet {
    struct Server {
        let register: @Sendable (String, String) async throws -> DeviceRegistrar.Answer
    }

    static func register(_ deviceToken: Data, _ server: Server) async throws {
        // begin
        let registrar = try DeviceRegistrar(
            store: PushSetup().keys, vendor: UIDevice.current.identifierForVendor)
        try await registrar.register(deviceToken: deviceToken) { registration, token in
            try await server.register(registration, token)
        }
        // end
    }

    static func reopen() {
        // begin
        UNUserNotificationCenter.current().getDeliveredNotifications { @Sendable delivered in
            for request in PushSetup().presenter.reopened(delivered) {
                UNUserNotificationCenter.current().add(request)
            }
        }
        // end
    }
}

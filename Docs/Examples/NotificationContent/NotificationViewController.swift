import PushCryptApple
import UIKit
import UserNotifications
import UserNotificationsUI

/// The view of an opened notification, for the categories in this target's Info.plist.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
    let titleLabel = UILabel()
    let textLabel = UILabel()

    nonisolated var setup: PushSetup { PushSetup() }

    override func loadView() {
        let stack = UIStackView(arrangedSubviews: [titleLabel, textLabel])
        stack.axis = .vertical
        textLabel.numberOfLines = 0
        view = stack
    }

    /// Shows a notification, and again each later notification of the same thread.
    nonisolated func didReceive(_ notification: UNNotification) {
        let content = original(of: notification)
        let (title, text) = (content.title, content.body)
        MainActor.assumeIsolated {
            loadViewIfNeeded()
            titleLabel.text = title
            textLabel.text = text
        }
    }

    private nonisolated func original(of notification: UNNotification) -> NotificationContent {
        do {
            let reader = try PayloadReader(notification, opener: setup.opener, unsealed: .reject)
            // For a custom member: reader.custom("order", as: Order.self)
            return try reader.content(strings: BundleStringTable.containingApp)
        } catch {
            // The notification's own text, which is the fallback if the service extension couldn't open it.
            let delivered = notification.request.content
            return NotificationContent(title: delivered.title, subtitle: delivered.subtitle, body: delivered.body)
        }
    }
}

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

    /// May be called again while the view is visible, for each notification of the same thread.
    ///
    /// The notification stays on the thread that it comes on, which is the main one; only what was read of it is shown.
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
            let reader = try PayloadReader(notification, opener: setup.opener, unsealed: .refuse)
            // Custom members are at hand here, too: reader.custom("order", as: Order.self)
            return try reader.content(strings: BundleStringTable.containingApp)
        } catch {
            // What the notification itself shows: the fallback, where the service extension could not open it either.
            return NotificationContent(notification.request.content)
        }
    }
}

import Foundation
import PushCryptApple
import UIKit
import UserNotifications
import UserNotificationsUI

/// The view of an opened notification, for the categories in this target's Info.plist.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
    let titleLabel = UILabel()
    let textLabel = UILabel()
    let pictureView = UIImageView()
    private(set) var loading: Task<Void, Never>?

    private nonisolated static let inbox = PushInbox(pushConfiguration())
    nonisolated var inbox: PushInbox { Self.inbox }

    override func loadView() {
        let stack = UIStackView(arrangedSubviews: [titleLabel, textLabel, pictureView])
        stack.axis = .vertical
        textLabel.numberOfLines = 0
        view = stack
    }

    /// Shows a notification, and again each later notification of the same thread.
    nonisolated func didReceive(_ notification: UNNotification) {
        let reader = reader(of: notification)
        // For a custom member: reader.custom("order", as: Order.self)
        let content = content(of: notification, reader)
        let (title, text, push) = (content.title, content.body, reader?.push)
        MainActor.assumeIsolated {
            loadViewIfNeeded()
            titleLabel.text = title
            textLabel.text = text
            pictureView.image = nil
            loading?.cancel()
            loading = push.map { push in Task { await showPicture(of: push) } }
        }
    }

    /// Returns the reader of the message.
    ///
    /// If the user wants to see less, or if the service extension hasn't handed over the displayed
    /// text, only that text is shown: an attacker who can send pushes can display a recorded
    /// message again.
    private nonisolated func reader(of notification: UNNotification) -> PayloadReader? {
        guard inbox.display == .full, let reader = try? inbox.read(notification),
            reader.state == .asSealed
        else {
            return nil
        }
        return reader
    }

    private nonisolated func content(of notification: UNNotification, _ reader: PayloadReader?)
        -> NotificationContent
    {
        if let content = try? reader?.content(strings: inbox.configuration.strings) {
            return content
        }
        // The notification's own text, which is the fallback if the service extension couldn't open
        // it.
        let delivered = notification.request.content
        return NotificationContent(
            title: delivered.title, subtitle: delivered.subtitle, body: delivered.body)
    }

    /// Downloads the picture again, and opens it with the key in the message.
    ///
    /// If that fails, the text is shown without it. Nothing of the picture stays on disk.
    func showPicture(of push: OpenedPush) async {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("pictures")
            .path
        guard let downloader = inbox.configuration.downloader,
            let photo = try? await downloader.attachment(of: push, in: directory, timeout: 20)
        else { return }
        let picture = FileManager.default.contents(atPath: photo.path)
        try? FileManager.default.removeItem(atPath: photo.path)
        guard let picture, !Task.isCancelled else { return }
        pictureView.image = UIImage(data: picture)
    }
}

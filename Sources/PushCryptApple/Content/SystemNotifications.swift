internal import PushCryptReceiver
internal import UserNotifications

/// The delivered notifications of the app.
struct SystemNotifications: DeliveredList {
    func remove(_ identifiers: [String]) {
        UNUserNotificationCenter.current().removeDeliveredNotifications(
            withIdentifiers: identifiers)
    }

    func identifiers() async -> Set<String> {
        await withCheckedContinuation { done in
            UNUserNotificationCenter.current().getDeliveredNotifications {
                @Sendable notifications in
                done.resume(returning: Set(notifications.map(\.request.identifier)))
            }
        }
    }

    func setBadge(_ count: Int) async {
        if #available(iOS 16, macOS 13, *) {
            #if !os(watchOS)
            // The system may suspend an extension as soon as it has called its content handler.
            await withCheckedContinuation { done in
                UNUserNotificationCenter.current().setBadgeCount(count) { @Sendable _ in
                    done.resume()
                }
            }
            #endif
        }
    }
}

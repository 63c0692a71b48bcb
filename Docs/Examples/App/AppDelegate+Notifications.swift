import PushCryptApple
import UserNotifications

extension AppDelegate: UNUserNotificationCenterDelegate {
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler(inbox.present(notification) { reader in await self.received(reader) })
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        inbox.respond(to: response, completionHandler: completionHandler) { response in
            await self.handle(response)
        }
    }

    /// Acts on a response, unless the displayed text may be an attacker's.
    private func handle(_ response: UserResponse) async {
        if response.isDismissal { return }
        guard response.isTap || !response.isAccepted() else { return await act(response) }
        // After a refused action, the conversation shows the user what the author has written.
        if response.text != nil { keepDraft(of: response) }
        if let reader = response.reader { tapped(reader) }
    }
}

import PushCryptApple
import UserNotifications

extension AppDelegate: UNUserNotificationCenterDelegate {
    /// Becomes the delegate before the launch ends, or the tap that launched the app is lost.
    func beginNotifications() {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        let reply = UNTextInputNotificationAction(
            identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send", textInputPlaceholder: "")
        let read = UNNotificationAction(identifier: "READ", title: "Mark as Read", options: [])
        let message = UNNotificationCategory(identifier: "MESSAGE", actions: [reply, read], intentIdentifiers: [])
        center.setNotificationCategories([message])
        center.requestAuthorization(options: [.alert, .badge, .sound]) { @Sendable _, _ in }
    }

    // Current SDKs declare completion handlers `@Sendable`. Without it, the methods compile with older ones, too.
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        do {
            let reader = try inbox.read(notification)
            if reader.isNew { Task { @MainActor in received(reader) } }
        } catch {
            report(error)
        }
        // catchUp() replaces fallbacks by passive notifications, because the user was alerted before.
        let isPassive = notification.request.content.interruptionLevel == .passive
        completionHandler(isPassive ? [.list] : [.banner, .list, .sound, .badge])
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        nonisolated struct Completion: @unchecked Sendable { let call: () -> Void }
        let (response, completion) = (inbox.read(response), Completion(call: completionHandler))
        Task { @MainActor in
            await handle(response)
            completion.call()
        }
    }

    /// Acts on a response, unless the displayed text may be an attacker's.
    private func handle(_ response: UserResponse) async {
        guard response.action != UNNotificationDismissActionIdentifier else { return }
        if let failure = response.failure { report(failure) }
        if response.isTap || !response.isAccepted() {
            // After a refused action, the conversation shows the user what the author has written.
            if response.text != nil { keepDraft(of: response) }
            if let reader = response.reader { tapped(reader) }
        } else {
            try? await inbox.inBackground { await self.act(response) }
        }
    }
}

public import Foundation
public import PushCryptReceiver
internal import UserNotifications

extension SharedNotifications {
    /// Removes notifications from this device, after the user has read the messages in the app.
    ///
    /// ```swift
    /// let state = SharedState(inSharedDirectory: directory)
    /// try await state.notifications.withdraw(Withdrawal(threadIDs: ["family"]), issuedUntil: lastRead)
    /// ```
    ///
    /// It returns when the system has removed them. Notifications that arrive later don't appear either, if their
    /// messages were issued no later than `date`.
    ///
    /// - Parameters:
    ///   - withdrawal: The notifications.
    ///   - account: The name of the account, as ``OpenedPush/account`` has it.
    ///   - date: The ``OpenedPush/issuedAt`` of the last message that the user has read. The device's clock may differ.
    /// - Throws: ``PushCryptError`` as ``setDisplay(_:)`` does.
    public func withdraw(
        _ withdrawal: Withdrawal, account: String = "", issuedUntil date: Date
    ) async throws(PushCryptError) {
        try withdraw(withdrawal, account: account, issuedAt: date)
        try await removeWithdrawn(from: SystemNotifications())
    }
}

/// The delivered notifications of the app.
struct SystemNotifications: DeliveredList {
    func remove(_ identifiers: [String]) {
        UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: identifiers)
    }

    func identifiers() async -> Set<String> {
        await withCheckedContinuation { done in
            UNUserNotificationCenter.current().getDeliveredNotifications { @Sendable notifications in
                done.resume(returning: Set(notifications.map(\.request.identifier)))
            }
        }
    }

    func setBadge(_ count: Int) async {
        if #available(iOS 16, macOS 13, *) {
            #if !os(watchOS)
            // The system may suspend an extension as soon as it has called its content handler.
            await withCheckedContinuation { done in
                UNUserNotificationCenter.current().setBadgeCount(count) { @Sendable _ in done.resume() }
            }
            #endif
        }
    }
}

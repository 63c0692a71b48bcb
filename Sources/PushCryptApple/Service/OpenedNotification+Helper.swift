internal import Foundation
internal import PushCryptReceiver
public import UserNotifications

/// The parts of a notification that a vendor's helper may set.
public struct HelperChanges: OptionSet, Sendable, Hashable {
    /// The bits of the parts.
    public let rawValue: Int

    /// The attachments, such as a picture that the helper downloads.
    public static let attachments = HelperChanges(rawValue: 1)
    /// The category, and thus the actions.
    public static let category = HelperChanges(rawValue: 2)

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

extension OpenedNotification {
    /// Calls a vendor's helper with a request and content, and passes on the helper's answer.
    public typealias Helper = (
        _ request: UNNotificationRequest, _ content: UNMutableNotificationContent,
        _ answer: @escaping (UNNotificationContent) -> Void
    ) throws -> Void

    /// Returns the opened content as a vendor's helper for service extensions has changed it.
    ///
    /// iOS runs one service extension for each notification. Call the helper of OneSignal, Firebase
    /// or Braze from ``SealedNotificationService/customizedContent(for:)``:
    ///
    /// ```swift
    /// func customized(_ notification: OpenedNotification) async throws -> UNNotificationContent {
    ///     try await notification.content(allowing: .attachments) { request, content, answer in
    ///         // Call the vendor's helper with the request, the content, and the handler `answer`.
    ///         answer(content)
    ///     }
    /// }
    /// ```
    ///
    /// The helper gets the opened text, so its vendor's code reads it. It doesn't get a
    /// notification that isn't opened, or that displays only a part of its content. It runs on a
    /// queue of its own, because some helpers wait for a download. Its first answer counts. If it
    /// doesn't answer before the deadline, the opened content is displayed.
    ///
    /// `userInfo` stays as it was opened. If the helper changes the text, the receipt says so: the
    /// app reads ``DisplayedState/otherText``.
    ///
    /// - Parameters:
    ///   - changes: The parts that the helper may set. By default, attachments and the category
    ///     stay as the sender has sealed them.
    ///   - helper: Calls the helper. Call `answer` yourself if the helper doesn't want the
    ///     notification.
    /// - Returns: The content to display.
    /// - Throws: What `helper` throws, or `CancellationError` if time has run out. The opened
    ///   content is displayed then, so don't catch it.
    public nonisolated(nonsending) func content(
        allowing changes: HelperChanges = [], from helper: @escaping Helper
    ) async throws -> UNNotificationContent {
        let opened = content.copy() as? UNNotificationContent ?? content
        let request = UNNotificationRequest(identifier: identifier, content: opened, trigger: nil)
        let begin = UncheckedSendable(value: { (call: HelperCall) in
            try helper(request, content, call.answer)
        })
        let answer = try await HelperCall().answer { try begin.value($0) }.value
        let result = answer.mutableCopy() as? UNMutableNotificationContent ?? content
        result.userInfo = opened.userInfo
        if !changes.contains(.attachments) { result.attachments = opened.attachments }
        if !changes.contains(.category) { result.categoryIdentifier = opened.categoryIdentifier }
        return result
    }
}

public import Foundation
public import PushCryptReceiver

extension NotificationHandler {
    /// Creates a handler whose deadline passes when a test advances a clock.
    ///
    /// ```swift
    /// let clock = TestClock()
    /// let handler = NotificationHandler(NotificationOpener(opener), clock: clock)
    /// clock.advance(by: 20)
    /// ```
    ///
    /// - Parameters:
    ///   - opener: Opens the notifications.
    ///   - deadline: The time in seconds on the clock, 0 to 30, after which the best content so far is handed over.
    ///   - clock: The clock. It runs the content handler in `advance(by:)`, on the test's thread.
    ///   - customization: The app's customization of opened content.
    ///   - shouldShow: The app's decision about an opened message.
    ///   - deliveryLog: Records the outcome of each notification.
    ///   - log: Gets each event.
    public convenience init(
        _ opener: NotificationOpener, deadline: TimeInterval = 20, clock: TestClock,
        customization: Customization? = nil, shouldShow: (@Sendable (OpenedPush) async throws -> Bool)? = nil,
        deliveryLog: DeliveryLog? = nil, log: (@Sendable (Event) -> Void)? = nil
    ) {
        self.init(
            opener, deadline: deadline, timer: clock, customization: customization, shouldShow: shouldShow,
            deliveryLog: deliveryLog, log: log)
    }
}

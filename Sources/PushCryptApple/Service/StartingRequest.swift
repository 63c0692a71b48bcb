internal import PushCryptReceiver
internal import PushCryptSystem
internal import UserNotifications

/// A request until the configuration is read, which may block.
///
/// At the deadline or the expiry, the standard fallback is displayed. Then the request can't begin
/// any more.
final class StartingRequest: Sendable {
    typealias Handler = UncheckedSendable<(UNNotificationContent) -> Void>

    private let content: UncheckedSendable<UNNotificationContent>
    private let handler: LockedValue<Handler?>
    private let cancellation = LockedValue<(@Sendable () -> Void)?>(nil)

    init(_ content: UNNotificationContent, _ handler: Handler) {
        self.content = UncheckedSendable(value: content)
        self.handler = LockedValue(handler)
    }

    /// Starts the timer of the standard deadline.
    func schedule() {
        let cancel = SystemTimer().schedule(after: 20) { [self] in end() }
        cancellation.withLock { $0 = cancel }
    }

    /// Returns the content handler for the begun request; `nil` if the request has ended.
    func begin() -> Handler? {
        cancellation.withLock { $0 }?()
        return take()
    }

    /// Displays the standard fallback, unless the request has begun or ended.
    func end() {
        guard let handler = take() else { return }
        let fallback = NotificationContent(content.value).fallback(FallbackText.standard.body)
        handler.value(fallback.systemContent(replacing: content.value))
    }

    private func take() -> Handler? {
        handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
    }
}

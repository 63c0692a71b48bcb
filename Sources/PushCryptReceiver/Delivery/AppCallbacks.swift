/// The app's decision and its log, for one request.
package struct AppCallbacks: Sendable {
    package typealias ShouldShow = @Sendable (OpenedPush) async throws -> Bool
    package typealias Log = @Sendable (NotificationHandler.Event) -> Void

    /// Returns `false` to display nothing; `nil` displays every opened message.
    package let shouldShow: ShouldShow?

    /// Gets each event; `nil` if the app has no log.
    package let log: Log?

    package init(shouldShow: ShouldShow?, log: Log?) {
        self.shouldShow = shouldShow
        self.log = log
    }
}

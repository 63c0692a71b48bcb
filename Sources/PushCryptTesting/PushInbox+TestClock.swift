public import PushCryptReceiver

extension PushInbox {
    /// Creates an inbox whose time and deadline follow a clock that a test advances.
    ///
    /// ```swift
    /// let clock = TestClock()
    /// let inbox = PushInbox(configuration, clock: clock)
    /// clock.advance(by: 20)
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: The app's settings. The clock replaces their source of the time.
    ///   - clock: The clock. It runs the content handler in `advance(by:)`, on the test's thread.
    ///   - log: Gets each event outside of a notification's request.
    public convenience init(
        _ configuration: PushConfiguration, clock: TestClock,
        log: (@Sendable (PushEvent) -> Void)? = nil
    ) {
        var configuration = configuration
        configuration.time = clock
        self.init(configuration, timer: clock, log: log)
    }
}

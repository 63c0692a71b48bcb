internal import Dispatch
public import Foundation
public import PushCryptCore
package import PushCryptKeyring

/// Handles the requests of a notification service extension: hands each content over exactly once and in time.
///
/// ```swift
/// let handler = NotificationHandler(NotificationOpener(opener), deadline: 20)
/// handler.handle(try DeliveredNotification(json: json)) { content in
///     print(content.body)
/// }
/// ```
///
/// One handler serves any number of requests at once. It calls back on its own threads.
public final class NotificationHandler: Sendable {
    /// The app's customization of opened content, such as a contact's name or a picture.
    ///
    /// It may be slow or throw: the opened content is displayed instead. It isn't called if the user wants to see less
    /// than the whole content.
    public typealias Customization = @Sendable (NotificationContent, OpenedPush) async throws -> NotificationContent

    /// An event for the app's own log, without content except for the payload of an opened message.
    ///
    /// An event with an outcome reports that a notification's content was handed over. Any other event has a failure:
    /// of the app's code, an attachment, a withdrawal, the replay guard, the delivery log or the app group.
    public struct Event: Sendable, CustomStringConvertible {
        /// The outcome of a notification; `nil` if the event reports another failure.
        public let outcome: NotificationOutcome?
        /// The failure, including the reason for a fallback; `nil` if nothing failed.
        public let failure: PushCryptError?

        init(_ outcome: NotificationOutcome) {
            self.outcome = outcome
            failure = outcome.failure
        }

        package init(_ failure: PushCryptError) {
            outcome = nil
            self.failure = failure
        }

        /// The outcome or the failure, without content.
        public var description: String { outcome?.description ?? failure?.description ?? "" }
    }

    private let opener: NotificationOpener
    private let deadline: TimeInterval
    private let timer: any DeadlineTimer
    private let deliveryLog: DeliveryLog?
    private let running = RunningRequests()
    package let customization: Customization?
    package let app: AppCallbacks

    /// The service that delivers the app's pushes.
    package var carrier: Carrier { opener.opener.carrier }

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - opener: Opens the notifications.
    ///   - deadline: The time in seconds, 0 to 30, after which the best content so far is handed over. The system ends
    ///     an extension after about 30 seconds.
    ///   - customization: The app's customization of opened content.
    ///   - shouldShow: The app's decision about an opened message; `false` displays nothing, or without the filtering
    ///     entitlement, the quietest content. It may be slow or throw: the opened content is displayed instead.
    ///   - deliveryLog: Records the outcome of each notification, for the app.
    ///   - log: Gets each event, for the app's own log.
    public convenience init(
        _ opener: NotificationOpener, deadline: TimeInterval = 20,
        customization: Customization? = nil, shouldShow: (@Sendable (OpenedPush) async throws -> Bool)? = nil,
        deliveryLog: DeliveryLog? = nil, log: (@Sendable (Event) -> Void)? = nil
    ) {
        self.init(
            opener, deadline: deadline, timer: SystemTimer(), customization: customization, shouldShow: shouldShow,
            deliveryLog: deliveryLog, log: log)
    }

    /// Creates a handler with a timer for the deadline, such as a test's clock.
    package init(
        _ opener: NotificationOpener, deadline: TimeInterval = 20, timer: any DeadlineTimer,
        customization: Customization? = nil, shouldShow: (@Sendable (OpenedPush) async throws -> Bool)? = nil,
        deliveryLog: DeliveryLog? = nil, log: (@Sendable (Event) -> Void)? = nil
    ) {
        self.opener = opener
        self.deadline = deadline.isNaN ? 20 : min(max(deadline, 0), 30)
        self.timer = timer
        self.customization = customization
        self.deliveryLog = deliveryLog
        app = AppCallbacks(shouldShow: shouldShow, log: log)
    }

    /// Begins to open a notification, and returns at once; the handler gets the content to display, exactly once.
    public func handle(
        _ notification: DeliveredNotification, handler: @escaping @Sendable (NotificationContent) -> Void
    ) {
        begin(notification, on: NeutralPlatform(notification, customization: customization), for: app) { presented in
            handler(presented.content)
        }
    }

    /// Hands over the best content so far of every running request.
    ///
    /// Call it from `serviceExtensionTimeWillExpire`. When it returns, all content handlers have been called. If one of
    /// several handlers blocks, it waits for at most one second. The only running handler is called on this thread.
    public func expire() {
        let reason = "The system ended the extension before the message was open. Shorten the deadline."
        running.expire(because: PushCryptError(.timeExpired, reason))
    }

    /// Begins the pipeline of one notification: opening, and the deadline that may end it earlier.
    package func begin<Platform: NotificationPlatform>(
        _ notification: DeliveredNotification, on platform: Platform, for app: AppCallbacks,
        present: @escaping @Sendable (PresentedNotification<Platform.Content>) -> Void
    ) {
        let pipeline = NotificationPipeline(
            notification: notification, opener: opener, platform: platform, app: app,
            end: ProcessInfo.processInfo.systemUptime + deadline)
        let deadlinePassed = PushCryptError(
            .deadlinePassed, "The message wasn't open after \(deadline) seconds. Check the key store's speed.")
        let record = DeliveryRecorder(notification, in: deliveryLog, log: app.log)
        let request = RunningRequest()
        let gate = pipeline.gate(fallbackReason: deadlinePassed, record: record) { [running] presented in
            present(presented)
            running.end(request)
        }
        running.begin(request, gate)
        request.atEnd(timer.schedule(after: deadline) { gate.close(because: deadlinePassed) })
        // A queue for each request, so that a blocked key store doesn't delay other requests.
        DispatchQueue(label: "pushcrypt.opening", qos: .userInitiated).async {
            record.begin()
            pipeline.run(request, gate)
        }
    }
}

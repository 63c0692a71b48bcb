internal import Dispatch
package import Foundation
public import PushCryptCore
internal import PushCryptSystem

/// The app's pushes, in its notification service extension and in the app.
///
/// ```swift
/// let inbox = PushInbox(configuration)
/// inbox.handle(try DeliveredNotification(json: json)) { content in
///     print(content.body)
/// }
/// ```
///
/// One inbox handles any number of requests at once. It calls back on its own threads.
public final class PushInbox: Sendable {
    /// The app's customization of opened content, such as a contact's name or a picture.
    ///
    /// It may be slow or throw: the opened content is displayed instead. It isn't called if the
    /// user wants to see less than the whole content.
    public typealias Customization =
        @Sendable (NotificationContent, OpenedPush) async throws -> NotificationContent

    /// The app's settings.
    public let configuration: PushConfiguration

    let store: SharedStore?
    let secrets: (any DeviceSecretsStore)?
    let originals: Originals
    let opener: Opener
    let log: (@Sendable (PushEvent) -> Void)?
    private let timer: any DeadlineTimer
    private let running = RunningRequests()

    /// The state of the app's process.
    struct AppState: Sendable {
        /// The user's choice of display, as the app has passed it; `nil` keeps the stored one.
        var wantedDisplay: NotificationDisplay?
        /// A Boolean value that indicates whether the app has prepared the inbox and some files
        /// aren't ready yet.
        var isUnprepared = false
        /// A Boolean value that indicates whether the inbox catches up when the app becomes active.
        var followsApp = false
        /// The messages that the app has read in the foreground.
        var readMessages: Set<MessageID> = []
        /// The last pushes that have asked the app to register, until each account does.
        var asking = AskingPushes()
        /// Registers the accounts again whose last registration has failed, by their names.
        var failedRegistrations: [String: @Sendable () async throws -> Void] = [:]
        /// The number of removals of each account: a registration that began before the last one
        /// doesn't go on.
        var removals: [String: Int] = [:]
    }
    let app = LockedValue(AppState())

    /// Creates an inbox without opening a file.
    ///
    /// - Parameters:
    ///   - configuration: The app's settings.
    ///   - log: Gets each event outside of a notification's request, for the app's own log, on any
    ///     thread. On Apple's platforms, the system's log gets the failures by default.
    public convenience init(
        _ configuration: PushConfiguration, log: (@Sendable (PushEvent) -> Void)? = nil
    ) {
        self.init(configuration, timer: SystemTimer(), log: log)
    }

    /// Creates an inbox with a timer for the deadline, such as a test's clock.
    package init(
        _ configuration: PushConfiguration, timer: any DeadlineTimer,
        log: (@Sendable (PushEvent) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.timer = timer
        self.log = log ?? configuration.log
        let secrets = configuration.secrets.map { CachedSecretsStore.reading($0) }
        self.secrets = secrets
        store = configuration.directory.map { directory in
            SharedStore(
                directory: directory, secrets: secrets,
                mostPrivateDisplay: configuration.mostPrivateDisplay,
                time: configuration.time, create: configuration.create)
        }
        originals = Originals(configuration: configuration)
        opener = configuration.opener
    }

    /// The judge of the receipts of displayed notifications.
    var receiptReader: ReceiptReader {
        ReceiptReader(secrets: secrets, accounts: configuration.names)
    }

    // MARK: Requests

    /// Begins to open a notification, and returns at once; the handler gets the content to display,
    /// exactly once.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - shouldShow: The app's decision about an opened message; `false` displays nothing, or
    ///     without the filtering entitlement, the quietest content. It may be slow or throw: the
    ///     opened content is displayed instead.
    ///   - customization: The app's customization of opened content.
    ///   - log: Gets each event, for the app's own log.
    ///   - handler: Gets the content.
    public func handle(
        _ notification: DeliveredNotification,
        shouldShow: (@Sendable (OpenedPush) async throws -> Bool)? = nil,
        customization: Customization? = nil, log: (@Sendable (PushEvent) -> Void)? = nil,
        handler: @escaping @Sendable (NotificationContent) -> Void
    ) {
        let app = NeutralHost.App(shouldShow: shouldShow, customization: customization, log: log)
        begin(notification, with: NeutralHost(notification, app: app)) { presented in
            handler(presented.content)
        }
    }

    /// Begins a request: opening, and the deadline that may end it earlier.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - host: The system and the app.
    ///   - elapsed: The seconds since the system's call.
    ///   - present: Gets what is displayed, exactly once.
    package func begin(
        _ notification: DeliveredNotification, with host: any NotificationHost,
        after elapsed: TimeInterval = 0,
        present: @escaping @Sendable (Presented) -> Void
    ) {
        let whole = configuration.deadline.isNaN ? 20 : min(max(configuration.deadline, 0), 30)
        let deadline = max(whole - elapsed, 0)
        let request = NotificationRequest(
            notification: notification, inbox: self, host: host,
            end: ProcessInfo.processInfo.systemUptime + deadline)
        let deadlinePassed = PushCryptError(
            .deadlinePassed,
            "The message wasn't open after \(whole) seconds. Check the key store's speed.")
        let ending = RunningRequest()
        let gate = request.gate(fallbackReason: deadlinePassed) { [running] presented in
            present(presented)
            running.end(ending)
        }
        running.begin(ending, gate)
        ending.atEnd(timer.schedule(after: deadline) { gate.close(because: deadlinePassed) })
        // A queue for each request, so that a blocked key store doesn't delay other requests.
        DispatchQueue(label: "pushcrypt.opening", qos: .userInitiated).async {
            request.run(ending, gate)
        }
    }

    /// Hands over the best content so far of every running request.
    ///
    /// Call it from `serviceExtensionTimeWillExpire`. When it returns, all content handlers have
    /// been called. If one of several handlers blocks, it waits for at most one second. The only
    /// running handler is called on this thread.
    public func expire() {
        let reason =
            "The system ended the extension before the message was open. Shorten the deadline."
        running.expire(because: PushCryptError(.timeExpired, reason))
    }

    // MARK: The app's launch

    /// Prepares the files that the app shares with its extensions, at each launch of the app and
    /// before it registers a new account.
    ///
    /// It creates the device's secrets if they are missing. While the device is locked for the
    /// first time after a restart, it fails, and the inbox repeats it later. On Apple's platforms
    /// except a watch, the inbox also catches up from then on, when the app becomes active and when
    /// the device is unlocked. An extension never calls it.
    ///
    /// - Parameter display: The user's choice of display, if the app has stored it in settings of
    ///   its own; `nil` keeps the last choice, which is ``NotificationDisplay/full`` before the
    ///   first ``setDisplay(_:)``.
    /// - Returns: The error that you must fix, or that goes by when the device is unlocked; `nil`
    ///   if everything is ready. It's logged, too.
    @discardableResult
    public func prepare(display: NotificationDisplay? = nil) -> PushCryptError? {
        let followsApp = app.withLock { state in
            state.wantedDisplay = display
            state.isUnprepared = true
            defer { state.followsApp = true }
            return state.followsApp
        }
        if !followsApp { configuration.followApp(self) }
        do throws(PushCryptError) {
            try configuration.check()
            try store?.prepare(accounts: configuration.names, display: display)
            app.withLock { $0.isUnprepared = false }
            return nil
        } catch {
            log?(PushEvent(error))
            return error
        }
    }

    /// Prepares the files if an earlier attempt has failed, because the device was locked.
    package func prepareAgain() {
        let state = app.withLock { $0 }
        if state.isUnprepared { prepare(display: state.wantedDisplay) }
    }

    /// Writes an error to the inbox's log, such as one of the app's server.
    ///
    /// Its description must contain neither content nor keys.
    public func report(_ error: any Error) {
        log?(PushEvent(error as? PushCryptError ?? PushCryptError(.other, "\(error)")))
    }

    // MARK: Background work

    /// Runs work while the system doesn't suspend the app.
    ///
    /// The system ends a suspended app that locks a file of a shared directory. Use it for work
    /// that a push causes, such as sending a reply.
    ///
    /// - Parameter work: The work, whose task is canceled if the system's time expires.
    /// - Returns: The result of the work.
    /// - Throws: What the work throws.
    public func inBackground<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let running = Task { try await work() }
        await configuration.inBackground {
            await withTaskCancellationHandler {
                _ = await running.result
            } onCancel: {
                running.cancel()
            }
        }
        return try await running.value
    }
}

internal import Dispatch
internal import Foundation
public import PushCryptReceiver
internal import PushCryptSystem
public import UserNotifications

/// A notification service extension that opens sealed pushes.
///
/// Subclass it, and name the subclass in the extension's Info.plist as `NSExtensionPrincipalClass`:
///
/// ```swift
/// nonisolated class NotificationService: SealedNotificationService {}
/// ```
///
/// ``PushConfiguration/infoPlist`` lists the settings of the Info.plist.
///
/// It calls each request's content handler exactly once, in time, and with text. Opening, the
/// deadline, the expiry and ``customizedContent(for:)`` may end in any order. Requests may overlap.
///
/// Source: Apple, "Modifying content in newly delivered notifications".
open class SealedNotificationService: UNNotificationServiceExtension {
    // MARK: Members to override

    /// The settings of the app's pushes, which the app and all its extensions share; by default
    /// those of the Info.plist.
    ///
    /// They are read once for each instance, when its first request comes, on a thread of the
    /// service. If that takes longer than 20 seconds, the standard fallback is displayed.
    open var configuration: PushConfiguration { .infoPlist }

    /// Returns a Boolean value that indicates whether an opened message is displayed.
    ///
    /// Return `false` for an edit, a reaction or a message that the user has read elsewhere. It may
    /// be slow or throw: the opened content is displayed instead. It's called for each display that
    /// the user has chosen, on any thread.
    ///
    /// - Parameter push: The opened message.
    /// - Returns: `true` to display the message.
    /// - Throws: Any error.
    open func shouldShow(_ push: OpenedPush) async throws -> Bool { true }

    /// Returns an opened notification's content with the app's changes: a contact's name, a
    /// picture, or `updating(from:)` for a communication notification.
    ///
    /// It may be slow or throw: the opened content, or the last content of
    /// ``OpenedNotification/update(_:)``, is displayed instead. It runs on any thread, and for
    /// several requests at once. It isn't called if the user has chosen to see less than the whole
    /// content.
    ///
    /// - Parameter notification: The opened notification.
    /// - Returns: The content to display. Content without a title, a subtitle and a body is
    ///   ignored.
    /// - Throws: Any error.
    open func customizedContent(for notification: OpenedNotification) async throws
        -> UNNotificationContent
    {
        notification.content
    }

    /// Gets each event, for the app's own log, on any thread; by default the system's log gets the
    /// failures.
    open func log(_ event: PushEvent) { SystemLog.write(event) }

    // MARK: Calls of the system

    /// Opens a request's content; the system calls it.
    open override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let start = ProcessInfo.processInfo.systemUptime
        // The request retains the service. The inbox must not, because the service retains the
        // inbox.
        let service = UncheckedSendable(value: self)
        let starting = StartingRequest(request.content, UncheckedSendable(value: contentHandler))
        self.starting.withLock { $0[ObjectIdentifier(starting)] = starting }
        starting.schedule()
        let request = UncheckedSendable(value: request)
        // The first request reads the configuration, and asks the system for the app group's
        // directory. On the system's own thread, that delays the extension's start.
        startingQueue.async(group: startingGroup) {
            service.value.begin(request.value, starting, at: start)
        }
    }

    private func begin(
        _ request: UNNotificationRequest, _ starting: StartingRequest, at start: TimeInterval
    ) {
        let inbox = inbox()
        self.starting.withLock { $0[ObjectIdentifier(starting)] = nil }
        guard let handler = starting.begin() else { return }
        let service = UncheckedSendable(value: self)
        let app = AppleHost.App(
            shouldShow: { try await service.value.shouldShow($0) },
            customizedContent: { try await service.value.customizedContent(for: $0) },
            log: { service.value.log($0) })
        inbox.handle(
            request, app, after: ProcessInfo.processInfo.systemUptime - start,
            contentHandler: handler)
    }

    /// Hands over the best content so far of every running request; the system calls it.
    open override func serviceExtensionTimeWillExpire() {
        _ = startingGroup.wait(timeout: .now() + 1)
        for request in starting.withLock({ Array($0.values) }) { request.end() }
        created.withLock { $0 }?.expire()
    }

    // MARK: The inbox

    private let created = LockedValue<PushInbox?>(nil)

    /// The requests whose handling hasn't begun.
    private let starting = LockedValue<[ObjectIdentifier: StartingRequest]>([:])
    private let startingGroup = DispatchGroup()
    /// One request after the other, so that the configuration is read once.
    private let startingQueue = DispatchQueue(label: "pushcrypt.start", qos: .userInitiated)

    /// The inbox that all requests of this instance of the service use.
    private func inbox() -> PushInbox {
        if let first = created.withLock({ $0 }) { return first }
        // Outside of the lock, which the expiry needs: a subclass's property may block.
        let configuration = configuration
        do throws(PushCryptError) {
            try configuration.check()
        } catch {
            log(PushEvent(error))
        }
        let new = PushInbox(configuration)
        created.withLock { $0 = new }
        return new
    }
}

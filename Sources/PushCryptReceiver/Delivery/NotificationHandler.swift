internal import Dispatch
public import Foundation
public import PushCryptCore
internal import PushCryptPayload

/// Handles the requests of a notification service extension: hands each content over exactly once, in time, and with text.
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
    /// It may be slow or throw: the opened text is displayed then. It isn't called if the user wants to see less than the whole
    /// content.
    public typealias Customization = @Sendable (NotificationContent, OpenedPush) async throws -> NotificationContent

    /// An event for the app's own log, without content except for the payload of an opened message.
    ///
    /// An event with an outcome reports that a notification's content was handed over. Any other event has a failure: of
    /// the customization, an attachment, the replay guard or the delivery log.
    public struct Event: Sendable, CustomStringConvertible {
        /// The outcome of a notification; `nil` if the event reports another failure.
        public let outcome: NotificationOutcome?
        /// The failure, including the reason for a fallback; `nil` if nothing failed.
        public let failure: PushCryptError?

        init(_ outcome: NotificationOutcome) { (self.outcome, failure) = (outcome, outcome.failure) }

        package init(_ failure: PushCryptError) { (outcome, self.failure) = (nil, failure) }

        /// The outcome or the failure, without content.
        public var description: String { outcome?.description ?? failure?.description ?? "" }
    }

    /// A customization of a platform's layer: gets the opened notification, and a function that takes better content while the
    /// customization goes on.
    package typealias Step =
        @Sendable (NotificationResult, _ update: @escaping @Sendable (NotificationResult) -> Void) async throws ->
        NotificationResult

    /// Returns `false` to display nothing.
    package typealias ShouldShow = @Sendable (OpenedPush) async throws -> Bool

    package typealias Log = @Sendable (Event) -> Void

    /// The steps of a platform's layer; `nil` uses the handler's.
    package struct Hooks: Sendable {
        package var step: Step?
        package var shouldShow: ShouldShow?
        package var log: Log?
        /// The system's list, from which withdrawn notifications are removed.
        package var list: (any DeliveredList)?

        package init() {}
    }

    private struct Request: Sendable {
        let gate: DeliveryGate
        /// Cancel the deadline and the customization.
        var cancellations: [@Sendable () -> Void] = []
    }

    private let opener: NotificationOpener
    package let deadline: TimeInterval
    private let timer: any DeadlineTimer
    package let customization: Customization?
    private let shouldShow: ShouldShow?
    private let deliveryLog: DeliveryLog?
    package let log: Log?
    /// The running requests, by their recorders.
    private let requests = LockedValue<[ObjectIdentifier: Request]>([:])

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - opener: Opens the notifications.
    ///   - deadline: The time in seconds, 0 to 30, after which the best content so far is handed over. The system ends an
    ///     extension after about 30 seconds.
    ///   - timer: The timer for the deadline; `nil` uses the system's.
    ///   - customization: The app's customization of opened content.
    ///   - shouldShow: The app's decision about an opened message; `false` displays nothing, or without the filtering
    ///     entitlement, the quietest text. It may be slow or throw: the opened text is displayed then.
    ///   - deliveryLog: Records the outcome of each notification, for the app.
    ///   - log: Gets each event, for the app's own log.
    public init(
        _ opener: NotificationOpener, deadline: TimeInterval = 20, timer: (any DeadlineTimer)? = nil,
        customization: Customization? = nil, shouldShow: (@Sendable (OpenedPush) async throws -> Bool)? = nil,
        deliveryLog: DeliveryLog? = nil, log: (@Sendable (Event) -> Void)? = nil
    ) {
        self.opener = opener
        self.deadline = deadline.isNaN ? 20 : min(max(deadline, 0), 30)
        self.timer = timer ?? SystemTimer()
        self.shouldShow = shouldShow
        self.customization = customization
        self.deliveryLog = deliveryLog
        self.log = log
    }

    /// Begins to open a notification, and returns at once; the handler gets the content to display, exactly once.
    public func handle(
        _ notification: DeliveredNotification, handler: @escaping @Sendable (NotificationContent) -> Void
    ) {
        handle(notification, Hooks()) { handler($0.content) }
    }

    /// Handles a notification with the steps of a platform's layer.
    package func handle(
        _ notification: DeliveredNotification, _ hooks: Hooks,
        handler: @escaping @Sendable (NotificationResult) -> Void
    ) {
        var hooks = hooks
        hooks.step = hooks.step ?? customization.map(Self.step)
        hooks.shouldShow = hooks.shouldShow ?? shouldShow
        hooks.log = hooks.log ?? log
        let record = DeliveryRecorder(notification, in: deliveryLog, log: hooks.log)
        let id = ObjectIdentifier(record)
        let gate = DeliveryGate(
            fallback: opener.fallback(for: notification, because: deadlinePassed),
            hasCustomization: hooks.step != nil || hooks.shouldShow != nil,
            admit: { [opener, log = hooks.log] result in
                do throws(PushCryptError) {
                    return try opener.admitted(result, notification)
                } catch {
                    log?(Event(error))
                    return result
                }
            },
            afterwards: { record.end($0.outcome) },
            handler: { [self] result in
                handler(result)
                let request = requests.withLock { $0.removeValue(forKey: id) }
                for cancel in request?.cancellations ?? [] { cancel() }
            })
        requests.withLock { $0[id] = Request(gate: gate) }
        atEnd(of: id, timer.schedule(after: deadline) { [deadlinePassed] in gate.close(because: deadlinePassed) })
        // A queue per request, so that a blocked key store doesn't delay other requests.
        DispatchQueue(label: "pushcrypt.opening", qos: .userInitiated).async { [self, hooks] in
            record.begin()
            open(notification, id, gate, hooks)
        }
    }

    /// Hands over the best content so far of every running request.
    ///
    /// Call it from `serviceExtensionTimeWillExpire`. When it returns, all content handlers have been called. If one of
    /// several blocks, it waits for at most one second.
    public func expire() {
        let expired = PushCryptError(
            .timeExpired, "The system ended the extension before the message was open. Shorten the deadline.")
        let gates = requests.withLock { $0.values.map(\.gate) }
        let closing = DispatchGroup()
        if gates.count == 1 {
            gates[0].close(because: expired)
        } else {
            for gate in gates {
                DispatchQueue(label: "pushcrypt.expiry", qos: .userInteractive).async(group: closing) {
                    gate.close(because: expired)
                }
            }
        }
        let deadline = DispatchTime.now() + 1
        for gate in gates { gate.waitUntilHandedOver(deadline) }
        // Also wait for the delivery log: without its last entry, the request would look like a crash.
        _ = closing.wait(timeout: deadline)
    }

    /// Runs a function at the end of a request, or now if it has ended.
    private func atEnd(of id: ObjectIdentifier, _ cancel: @escaping @Sendable () -> Void) {
        let isRunning = requests.withLock { requests in
            requests[id]?.cancellations.append(cancel)
            return requests[id] != nil
        }
        if !isRunning { cancel() }
    }

    private var deadlinePassed: PushCryptError {
        PushCryptError(
            .deadlinePassed, "The message wasn't open after \(deadline) seconds. Check the key store's speed.")
    }

    private func open(
        _ notification: DeliveredNotification, _ id: ObjectIdentifier, _ gate: DeliveryGate, _ hooks: Hooks
    ) {
        // After the deadline, opening would use up the message's ID in the replay guard.
        let result = opener.open(notification) { !gate.isClosed }
        guard case .customize = gate.step({ $0.opened(result) }), let push = result.outcome.push else { return }
        let task = Task(priority: .userInitiated) {
            do {
                let better = try await customized(result, push, gate, hooks)
                gate.step { $0.customized(better) }
            } catch {
                guard gate.step({ $0.customized(nil) }) != nil else { return }
                let reason = "The app's customization threw \(type(of: error)). Catch the error there."
                hooks.log?(Event(PushCryptError(.customizationFailed, reason)))
            }
        }
        atEnd(of: id) { task.cancel() }
    }

    private func customized(
        _ result: NotificationResult, _ push: OpenedPush, _ gate: DeliveryGate, _ hooks: Hooks
    ) async throws -> NotificationResult {
        if let withdrawal = result.withdrawal {
            await remove(withdrawal, push, hooks)
            return result
        }
        if let shouldShow = hooks.shouldShow, try await !shouldShow(push) { return opener.dropped(push) }
        guard let step = hooks.step, !result.isReduced else { return result }
        return try await step(result) { gate.update($0) }
    }

    /// Records a withdrawal for late notifications, and removes displayed ones.
    private func remove(_ withdrawal: Withdrawal, _ push: OpenedPush, _ hooks: Hooks) async {
        do throws(PushCryptError) {
            guard let shared = opener.shared else {
                throw PushCryptError(
                    .invalidConfiguration, "A withdrawal needs the app group's directory. Pass SharedNotifications.")
            }
            // An attacker who has the device's public key could hide messages.
            guard push.signer != nil else {
                throw PushCryptError(.unsigned, "A withdrawal without a signature doesn't act. Sign it on the server.")
            }
            try shared.withdraw(withdrawal, push)
            if let list = hooks.list { try await shared.removeWithdrawn(from: list) }
        } catch {
            hooks.log?(Event(error))
        }
    }

    private static func step(_ customization: @escaping Customization) -> Step {
        { result, _ in
            guard let push = result.outcome.push else { return result }
            return NotificationResult(
                content: try await customization(result.content, push), outcome: result.outcome)
        }
    }
}

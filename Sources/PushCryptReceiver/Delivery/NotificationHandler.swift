internal import Dispatch
internal import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Handles the requests of a notification service extension: each one's content is handed over exactly once, in time,
/// and never without text.
///
/// One handler may serve any number of requests at once. It calls back on a thread of its own.
public final class NotificationHandler: Sendable {
    /// A step of the app after opening: a contact's name, a picture.
    ///
    /// It may be slow or fail; the opened text is safe.
    public typealias Customization = @Sendable (NotificationContent, OpenedPush) async throws -> NotificationContent

    /// What an app may want in its own log.
    ///
    /// None of it has content in it, but for the payload of an opened message.
    public enum Event: Sendable {
        /// Content was handed over.
        case presented(NotificationOutcome)
        /// The app's step after opening failed. The opened text is shown without it.
        case customizationFailed(PushCryptError)
        /// A message was shown without its replay guard, which could not be asked.
        case replayGuardFailed(PushCryptError)
        /// The log of outcomes could not be written.
        case outcomeLogFailed(PushCryptError)
    }

    /// A step of the app as a platform's layer hands it over: what was opened, and a function that takes something better
    /// while the step goes on.
    package typealias Step =
        @Sendable (NotificationResult, _ keep: @escaping @Sendable (NotificationResult) -> Void) async throws ->
        NotificationResult

    /// Gets what happens, after it has.
    public typealias Log = @Sendable (Event) -> Void

    private struct Requests: Sendable {
        var last: UInt64 = 0
        var running: [UInt64: Request] = [:]
    }

    private struct Request: Sendable {
        let gate: DeliveryGate
        var cancelDeadline: (@Sendable () -> Void)?
        var improvement: Task<Void, Never>?
    }

    private let presenter: NotificationOpener
    private let deadline: TimeInterval
    private let timer: any DeadlineTimer
    private let improvement: Customization?
    private let outcomes: DeliveryLog?
    private let log: Log?
    private let requests = LockedValue(Requests())

    /// Makes a handler.
    ///
    /// - Parameters:
    ///   - presenter: opens the messages.
    ///   - deadline: after how many seconds the best content so far is handed over. The system gives about 30 and then
    ///     may end the process.
    ///   - timer: watches the deadline.
    ///   - improvement: a step of the app after opening.
    ///   - outcomes: where it is noted what became of each notification, for the app to read.
    ///   - log: gets what happens, for the app's own log.
    public init(
        _ presenter: NotificationOpener, deadline: TimeInterval = 20, timer: any DeadlineTimer = SystemTimer(),
        improvement: Customization? = nil, outcomes: DeliveryLog? = nil, log: Log? = nil
    ) {
        self.presenter = presenter
        // Not a number, and what lies outside of the system's half minute, would be no deadline at all.
        self.deadline = deadline.isNaN ? 20 : min(max(deadline, 0), 30)
        self.timer = timer
        self.improvement = improvement
        self.outcomes = outcomes
        self.log = log
    }

    /// Begins to open a notification and returns at once.
    ///
    /// - Parameters:
    ///   - notification: what was delivered.
    ///   - handler: gets the content to show, exactly once.
    public func handle(
        _ notification: DeliveredNotification, handler: @escaping @Sendable (NotificationContent) -> Void
    ) {
        handle(notification, step: nil) { handler($0.content) }
    }

    /// The same for a platform's layer, with a step for this request alone.
    ///
    /// - Parameters:
    ///   - notification: what was delivered.
    ///   - step: the app's step after opening; where there is none, the handler's own.
    ///   - log: gets what happens with this request; where there is none, the handler's own. It is let go of with the request.
    ///   - handler: gets the content to show, exactly once.
    package func handle(
        _ notification: DeliveredNotification, step: Step?, log: Log? = nil,
        handler: @escaping @Sendable (NotificationResult) -> Void
    ) {
        let step = step ?? improvement.map(Self.step)
        let log = log ?? self.log
        let note = DeliveryNote(notification, in: outcomes, log: log)
        let (number, gate) = requests.withLock { requests in
            requests.last += 1
            let number = requests.last
            let gate = DeliveryGate(
                fallback: presenter.fallback(for: notification, because: deadlinePassed),
                hasImprovement: step != nil,
                afterwards: { note.end($0.outcome) },
                handler: { [self] presented in
                    handler(presented)
                    forget(number)
                })
            // In one step with the number, so that an expiry that comes now finds it.
            requests.running[number] = Request(gate: gate)
            return (number, gate)
        }
        let cancel = timer.schedule(after: deadline) { [deadlinePassed] in gate.close(because: deadlinePassed) }
        let isRunning = requests.withLock { requests in
            requests.running[number]?.cancelDeadline = cancel
            return requests.running[number] != nil
        }
        if !isRunning { cancel() }
        // A queue of its own, so that a key store that hangs holds up nobody else, as long as the system has threads.
        DispatchQueue(label: "pushcrypt.opening", qos: .userInitiated).async { [self] in
            note.begin()
            open(notification, number, gate, step, log)
        }
    }

    /// Hands over the best content so far of every request that is under way.
    ///
    /// Call it from `serviceExtensionTimeWillExpire`. When it returns, the handlers have been called, also those that
    /// another thread was just about to call: the system may end the process then. (Should one of
    /// several hang, the others are called all the same, and this waits for one second and no longer.)
    public func expire() {
        let expired = PushCryptError(
            .timeExpired, "The system ended the extension's time before the message was open.")
        let gates = requests.withLock { $0.running.values.map(\.gate) }
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
        // What was handed over is noted next; an entry that the system's end keeps from it would look like a crash.
        _ = closing.wait(timeout: deadline)
    }

    private func forget(_ number: UInt64) {
        let request = requests.withLock { $0.running.removeValue(forKey: number) }
        request?.cancelDeadline?()
        request?.improvement?.cancel()
    }

    private var deadlinePassed: PushCryptError {
        PushCryptError(
            .deadlinePassed,
            "The message was not open after \(deadline) seconds. Is the key store waiting for something?")
    }

    private func open(
        _ notification: DeliveredNotification, _ number: UInt64, _ gate: DeliveryGate, _ step: Step?, _ log: Log?
    ) {
        // What nobody waits for any more is not opened: it would use up its id in the replay guard without being shown.
        let presented = presenter.present(notification) { !gate.isClosed }
        guard gate.step({ $0.opened(presented) }) == .improvementIsDue, let step else { return }
        let task = Task(priority: .userInitiated) {
            do {
                let better = try await step(presented) { gate.improve($0) }
                _ = gate.step { $0.improved(better) }
            } catch {
                guard gate.step({ $0.improved(nil) }) == .handedOver else { return }
                log?(
                    .customizationFailed(
                        PushCryptError(
                            .customizationFailed, "The app's step after opening failed (\(type(of: error)))."))
                )
            }
        }
        let isRunning = requests.withLock { requests in
            requests.running[number]?.improvement = task
            return requests.running[number] != nil
        }
        if !isRunning { task.cancel() }
    }

    /// An app's step on plain content.
    private static func step(_ improvement: @escaping Customization) -> Step {
        { presented, _ in
            guard case .opened(let push) = presented.outcome else { return presented }
            return NotificationResult(
                content: try await improvement(presented.content, push), outcome: presented.outcome)
        }
    }
}

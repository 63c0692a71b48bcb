internal import Dispatch
public import PushCryptCore

/// Hands a notification's content over exactly once.
///
/// Opening, a deadline, the system's expiry and an app's own step run on different threads and may end in any order. All
/// of them meet here: content may get better until the gate closes, and whoever closes it first hands over the best
/// content so far. Whoever comes later comes too late, and nothing happens.
public final class DeliveryGate: Sendable {
    /// Gets the content, once.
    public typealias Handler = @Sendable (NotificationResult) -> Void

    private struct State: Sendable {
        var delivery: Delivery<NotificationResult>
        /// `nil` once the gate is closed, so that what it holds is let go of.
        var handler: Handler?
    }

    private let state: LockedValue<State>
    private let handedOver = DispatchGroup()
    private let afterwards: Handler?

    /// Opens a gate.
    ///
    /// - Parameters:
    ///   - fallback: what to hand over where nothing better comes.
    ///   - afterwards: gets the same when the handler has returned; nobody waits for it.
    ///   - handler: gets the content, once, on the thread of whoever closes the gate.
    public convenience init(
        fallback: NotificationResult, afterwards: Handler? = nil, handler: @escaping Handler
    ) {
        self.init(fallback: fallback, hasImprovement: false, afterwards: afterwards, handler: handler)
    }

    init(
        fallback: NotificationResult, hasImprovement: Bool, afterwards: Handler?, handler: @escaping Handler
    ) {
        self.afterwards = afterwards
        state = LockedValue(
            State(delivery: Delivery(fallback: fallback, hasImprovement: hasImprovement), handler: handler))
        handedOver.enter()
    }

    /// Whether the content was handed over.
    public var isClosed: Bool { state.withLock { !$0.delivery.isOpen } }

    /// Offers better content, to be handed over when the gate closes.
    ///
    /// - Parameter notification: the content. Without any text it is refused: the system would ignore it and show the
    ///   payload as it was delivered.
    /// - Returns: whether it was taken; not where the gate is closed or there is no text.
    @discardableResult
    public func improve(_ notification: NotificationResult) -> Bool {
        state.withLock { $0.delivery.better(notification) }
    }

    /// Closes the gate and hands over the best content so far.
    ///
    /// - Parameter reason: becomes the fallback's reason where nothing better than the fallback has come.
    /// - Returns: whether this call has closed it.
    @discardableResult
    public func close(because reason: PushCryptError? = nil) -> Bool {
        step { $0.timeIsUp(because: reason) } == .handedOver
    }

    // MARK: The steps of a handler

    /// What was done after a step.
    enum Progress {
        /// Nothing: the step came too late.
        case tooLate
        /// The content was handed over.
        case handedOver
        /// The app's step is due.
        case improvementIsDue
    }

    /// Takes a step of the request, and hands the content over where it was the last one.
    func step(
        _ step: @Sendable (inout Delivery<NotificationResult>) -> Delivery<NotificationResult>.Action?
    ) -> Progress {
        let (action, handler) = state.withLock { state -> (Delivery<NotificationResult>.Action?, Handler?) in
            let action = step(&state.delivery)
            guard case .handOver = action else { return (action, nil) }
            defer { state.handler = nil }
            return (action, state.handler)
        }
        switch action {
        case nil:
            return .tooLate
        case .improve:
            return .improvementIsDue
        case .handOver(let content):
            // Outside of the lock: the handler may take long, or come back here.
            handler?(content)
            state.withLock { $0.delivery.handlerReturned() }
            handedOver.leave()
            afterwards?(content)
            return .handedOver
        }
    }

    /// Waits until the handler of a closed gate has returned, should another thread be about to call it.
    ///
    /// - Parameter deadline: until when to wait at the most; a handler that waits for the caller would never return.
    func waitUntilHandedOver(_ deadline: DispatchTime) {
        _ = handedOver.wait(timeout: deadline)
    }

    deinit {
        // A group that was entered keeps itself alive until it is left, also where nobody has closed the gate.
        if !isClosed { handedOver.leave() }
    }
}

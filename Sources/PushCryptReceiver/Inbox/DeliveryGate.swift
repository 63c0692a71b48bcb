internal import Dispatch
internal import PushCryptCore
internal import PushCryptSystem

/// Hands a request's content over exactly once: the lock and the content handler around a
/// ``Delivery``.
final class DeliveryGate<Content: DeliverableContent>: Sendable {
    typealias Handler = @Sendable (Content) -> Void

    /// Decides about the best content so far; returns `nil` if the system's list must be read again
    /// first, which the last decision never does.
    typealias Decide = @Sendable (_ best: Content, _ isLast: Bool) -> Content?

    typealias Action = Delivery<Content>.Action

    private struct State: Sendable {
        var delivery: Delivery<Content>
        /// `nil` after the gate was closed, so that the handler's memory is released.
        var handler: Handler?
    }

    private let state: LockedValue<State>
    private let handedOver = DispatchSemaphore(value: 0)
    private let decide: Decide
    private let afterwards: Handler?

    /// Opens a gate.
    ///
    /// The handler gets the content once, on the thread that closes the gate, as `decide` returns
    /// it. `afterwards` gets the same content after the handler has returned. The system may
    /// suspend or end the process before, so nothing that matters belongs there.
    init(
        fallback: Content, needsSteps: Bool = false, decide: @escaping Decide = { best, _ in best },
        afterwards: Handler? = nil, handler: @escaping Handler
    ) {
        self.decide = decide
        self.afterwards = afterwards
        let delivery = Delivery(fallback: fallback, needsSteps: needsSteps)
        state = LockedValue(State(delivery: delivery, handler: handler))
    }

    /// A Boolean value that indicates whether a thread has begun to hand the content over.
    var isClosed: Bool { state.withLock { !$0.delivery.isOpen } }

    /// Offers better content; returns `false` if the gate is closed or the content has no text.
    @discardableResult
    func update(_ content: Content) -> Bool { state.withLock { $0.delivery.update(content) } }

    /// Closes the gate and hands over the best content so far, unless another call has closed it.
    ///
    /// The reason replaces the fallback's own.
    @discardableResult
    func close(because reason: PushCryptError? = nil) -> Bool {
        let action = step { $0.end(because: reason) }
        return action != nil
    }

    /// Takes a step of the delivery, and decides and hands the content over if it was the last one.
    ///
    /// - Returns: What is left to do for the caller.
    @discardableResult
    func step(_ step: @Sendable (inout Delivery<Content>) -> Action?) -> Action? {
        var action = state.withLock { step(&$0.delivery) }
        // Outside of the lock: a decision takes the store's lock.
        while case .decide(let best, let isLast) = action {
            let decision = decide(best, isLast)
            action = state.withLock { $0.delivery.decided(decision) }
        }
        // The handler may block, or call the gate.
        if case .handOver(let content) = action { handOver(content) }
        return action
    }

    private func handOver(_ content: Content) {
        let handler = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
        handler?(content)
        handedOver.signal()
        afterwards?(content)
    }
}

extension DeliveryGate: ExpiringGate {
    func waitUntilHandedOver(_ deadline: DispatchTime) {
        // Another thread may wait too.
        if handedOver.wait(timeout: deadline) == .success { handedOver.signal() }
    }
}

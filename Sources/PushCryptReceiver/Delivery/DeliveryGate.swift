internal import Dispatch
package import PushCryptCore
internal import PushCryptSystem

/// Hands a request's content over exactly once: the lock and the content handler around a ``Delivery``.
package final class DeliveryGate<Content: DeliverableContent>: Sendable {
    package typealias Handler = @Sendable (Content) -> Void

    typealias Action = Delivery<Content>.Action

    private struct State: Sendable {
        var delivery: Delivery<Content>
        /// `nil` after the gate was closed, so that the handler's memory is released.
        var handler: Handler?
    }

    /// The result of a step.
    private struct Taken: Sendable {
        var action: Action?
        /// `nil` unless the step closed the gate.
        var handler: Handler?
    }

    private let state: LockedValue<State>
    private let handedOver = DispatchSemaphore(value: 0)
    private let admit: @Sendable (Content) -> Content
    private let afterwards: Handler?

    /// Opens a gate.
    ///
    /// The handler gets the content once, on the thread that closes the gate, as `admit` returns it. `afterwards` gets
    /// the same content after the handler has returned. The system may suspend or end the process before, so nothing
    /// that matters belongs there.
    package init(
        fallback: Content, needsSteps: Bool = false,
        admit: @escaping @Sendable (Content) -> Content = { $0 },
        afterwards: Handler? = nil, handler: @escaping Handler
    ) {
        self.admit = admit
        self.afterwards = afterwards
        let delivery = Delivery(fallback: fallback, needsSteps: needsSteps)
        state = LockedValue(State(delivery: delivery, handler: handler))
    }

    /// A Boolean value that indicates whether a thread has begun to hand the content over.
    package var isClosed: Bool { state.withLock { !$0.delivery.isOpen } }

    /// Offers better content; returns `false` if the gate is closed or the content has no text.
    @discardableResult
    package func update(_ content: Content) -> Bool { state.withLock { $0.delivery.update(content) } }

    /// Closes the gate and hands over the best content so far, unless another call has closed it.
    ///
    /// The reason replaces the fallback's own.
    @discardableResult
    package func close(because reason: PushCryptError? = nil) -> Bool {
        let action = step { $0.end(because: reason) }
        return action != nil
    }

    /// Takes a step of the delivery, and hands the content over if it was the last one.
    @discardableResult
    func step(_ step: @Sendable (inout Delivery<Content>) -> Action?) -> Action? {
        let taken = state.withLock { state in
            var taken = Taken(action: step(&state.delivery))
            if case .handOver = taken.action {
                taken.handler = state.handler
                state.handler = nil
            }
            return taken
        }
        // Outside of the lock: the handler may block, or call the gate.
        if case .handOver(let content) = taken.action { handOver(content, to: taken.handler) }
        return taken.action
    }

    private func handOver(_ content: Content, to handler: Handler?) {
        let admitted = admit(content)
        handler?(admitted)
        handedOver.signal()
        afterwards?(admitted)
    }
}

extension DeliveryGate: ExpiringGate {
    func waitUntilHandedOver(_ deadline: DispatchTime) {
        // Another thread may wait too.
        if handedOver.wait(timeout: deadline) == .success { handedOver.signal() }
    }
}

internal import Dispatch
package import PushCryptCore

/// Hands a request's content over exactly once: the lock and the content handler around a ``Delivery``.
package final class DeliveryGate: Sendable {
    package typealias Handler = @Sendable (NotificationResult) -> Void

    private struct State: Sendable {
        var delivery: Delivery<NotificationResult>
        /// `nil` after the gate was closed, so that the handler's memory is released.
        var handler: Handler?
    }

    private let state: LockedValue<State>
    private let handedOver = DispatchSemaphore(value: 0)
    private let admit: @Sendable (NotificationResult) -> NotificationResult
    private let afterwards: Handler?

    /// Opens a gate.
    ///
    /// The handler gets the result once, on the thread that closes the gate, as `admit` returns it. `afterwards` gets the same
    /// result after the handler has returned.
    package init(
        fallback: NotificationResult, hasCustomization: Bool = false,
        admit: @escaping @Sendable (NotificationResult) -> NotificationResult = { $0 },
        afterwards: Handler? = nil, handler: @escaping Handler
    ) {
        self.admit = admit
        self.afterwards = afterwards
        state = LockedValue(
            State(delivery: Delivery(fallback: fallback, hasCustomization: hasCustomization), handler: handler))
    }

    /// A Boolean value that indicates whether a thread has begun to hand the content over.
    package var isClosed: Bool { state.withLock { !$0.delivery.isOpen } }

    /// Offers better content; returns `false` if the gate is closed or the content has no text.
    @discardableResult
    package func update(_ result: NotificationResult) -> Bool { state.withLock { $0.delivery.update(result) } }

    /// Closes the gate and hands over the best content so far, unless another call has closed it.
    ///
    /// The reason replaces that of a fallback.
    @discardableResult
    package func close(because reason: PushCryptError? = nil) -> Bool { step { $0.end(because: reason) } != nil }

    /// Takes a step of the delivery, and hands the content over if it was the last one.
    @discardableResult
    func step(
        _ step: @Sendable (inout Delivery<NotificationResult>) -> Delivery<NotificationResult>.Action?
    ) -> Delivery<NotificationResult>.Action? {
        let (action, handler) = state.withLock { state -> (Delivery<NotificationResult>.Action?, Handler?) in
            let action = step(&state.delivery)
            guard case .handOver = action else { return (action, nil) }
            defer { state.handler = nil }
            return (action, state.handler)
        }
        if case .handOver(let result) = action {
            // Outside of the lock: the handler may block, or call the gate.
            let result = admit(result)
            handler?(result)
            handedOver.signal()
            afterwards?(result)
        }
        return action
    }

    /// Waits until the handler of a closed gate has returned on another thread, or until the deadline.
    func waitUntilHandedOver(_ deadline: DispatchTime) {
        // Another thread may wait too.
        if handedOver.wait(timeout: deadline) == .success { handedOver.signal() }
    }
}

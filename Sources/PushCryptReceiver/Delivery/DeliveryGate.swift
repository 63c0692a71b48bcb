internal import Dispatch

/// Hands a notification's content over exactly once.
///
/// Opening, a deadline, the system's expiry and an app's own step run on different threads and may end in any order. All
/// of them meet here: content may get better until the gate closes, and whoever closes it first hands over the best
/// content so far. Whoever comes later comes too late, and nothing happens.
public final class DeliveryGate: Sendable {
    /// Gets the content, once.
    public typealias Handler = @Sendable (PresentedNotification) -> Void

    private struct State: Sendable {
        var best: PresentedNotification
        /// `nil` once the gate is closed.
        var handler: Handler?
    }

    private let state: Protected<State>
    private let handedOver = DispatchGroup()
    private let afterwards: Handler?

    /// Opens a gate.
    ///
    /// - Parameters:
    ///   - fallback: what to hand over where nothing better comes.
    ///   - afterwards: gets the same when the handler has returned; nobody waits for it.
    ///   - handler: gets the content, once, on the thread of whoever closes the gate.
    public init(fallback: PresentedNotification, afterwards: Handler? = nil, handler: @escaping Handler) {
        self.afterwards = afterwards
        state = Protected(State(best: fallback, handler: handler))
        handedOver.enter()
    }

    /// Whether the content was handed over.
    public var isClosed: Bool { state.withValue { $0.handler == nil } }

    /// Offers better content, to be handed over when the gate closes.
    ///
    /// - Parameter notification: the content. Without any text it is refused: the system would ignore it and show the
    ///   payload as it was delivered.
    /// - Returns: whether it was taken; not where the gate is closed or there is no text.
    @discardableResult
    public func improve(_ notification: PresentedNotification) -> Bool {
        guard notification.content.hasText else { return false }
        return state.withValue { state in
            guard state.handler != nil else { return false }
            state.best = notification
            return true
        }
    }

    /// Closes the gate and hands over the best content so far.
    ///
    /// - Parameter reason: becomes the fallback's reason where nothing better than the fallback has come.
    /// - Returns: whether this call has closed it.
    @discardableResult
    public func close(because reason: PushCryptError? = nil) -> Bool {
        let last = state.withValue { state -> State? in
            guard state.handler != nil else { return nil }
            if let reason, case .fallback = state.best.outcome {
                state.best = PresentedNotification(content: state.best.content, outcome: .fallback(reason))
            }
            let last = state
            state.handler = nil
            return last
        }
        // Outside of the lock: the handler may take long, or come back here.
        guard let last, let handler = last.handler else { return false }
        handler(last.best)
        handedOver.leave()
        afterwards?(last.best)
        return true
    }

    /// Waits until the handler of a closed gate has returned, should another thread be about to call it.
    ///
    /// - Parameter deadline: until when to wait at the most; a handler that waits for the caller would never return.
    func waitUntilHandedOver(_ deadline: DispatchTime) {
        _ = handedOver.wait(timeout: deadline)
    }

    deinit {
        // Dispatch insists on balance; a gate that nobody closed has still entered.
        if !isClosed { handedOver.leave() }
    }
}

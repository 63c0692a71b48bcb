internal import Dispatch
internal import PushCryptCore
internal import PushCryptSystem

/// A gate for any content that the expiry of the extension can close.
protocol ExpiringGate: Sendable {
    /// Closes the gate and hands over the best content so far, unless another call has closed it.
    @discardableResult
    func close(because reason: PushCryptError?) -> Bool

    /// Waits until the handler of a closed gate has returned on another thread, or until the
    /// deadline.
    func waitUntilHandedOver(_ deadline: DispatchTime)
}

/// A request, with what must stop when it ends: its timer, and the task of its later steps.
final class RunningRequest: Sendable {
    private struct State: Sendable {
        var cancellations: [@Sendable () -> Void] = []
        var hasEnded = false
    }

    private let state = LockedValue(State())

    /// Runs a function at the end of the request, or now if it has ended.
    func atEnd(_ cancel: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.cancellations.append(cancel) }
            return state.hasEnded
        }
        if hasEnded { cancel() }
    }

    /// Ends the request.
    func end() {
        let cancellations = state.withLock { state in
            let cancellations = state.cancellations
            state.cancellations = []
            state.hasEnded = true
            return cancellations
        }
        for cancel in cancellations { cancel() }
    }
}

/// The running requests of a handler, with their gates.
final class RunningRequests: Sendable {
    private let gates = LockedValue<[ObjectIdentifier: any ExpiringGate]>([:])

    func begin(_ request: RunningRequest, _ gate: any ExpiringGate) {
        gates.withLock { $0[ObjectIdentifier(request)] = gate }
    }

    func end(_ request: RunningRequest) {
        gates.withLock { $0[ObjectIdentifier(request)] = nil }
        request.end()
    }

    /// Hands over the best content so far of every request.
    ///
    /// It returns when all content handlers have returned, or after one second if one of several
    /// blocks.
    func expire(because reason: PushCryptError) {
        let running = gates.withLock { Array($0.values) }
        let closing = DispatchGroup()
        if running.count == 1 {
            running[0].close(because: reason)
        } else {
            for gate in running {
                DispatchQueue(label: "pushcrypt.expiry", qos: .userInteractive).async(
                    group: closing
                ) {
                    gate.close(because: reason)
                }
            }
        }
        let deadline = DispatchTime.now() + 1
        for gate in running { gate.waitUntilHandedOver(deadline) }
        // The gates closed here also report to the app's log.
        _ = closing.wait(timeout: deadline)
    }
}

internal import Dispatch
internal import Foundation
internal import PushCryptSystem

/// The turn to download, which one request at a time has, so that a process doesn't hold the files
/// of several.
///
/// Requests get it in the order in which they asked. Two requests of an extension may overlap.
final class DownloadTurn: Sendable {
    /// The turn of this process.
    static let process = DownloadTurn()

    private struct State {
        var isTaken = false
        var nextID = 0
        var waiters: [Waiter] = []
    }

    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let state = LockedValue(State())

    init() {}

    /// The number of requests that wait.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits for the turn, which ``end()`` passes on.
    ///
    /// - Parameter timeout: The longest time to wait, in seconds.
    /// - Returns: `false` if the time was over first, or if the task was cancelled while it waited.
    func begin(timeout: TimeInterval) async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(Waiter(id: id, continuation: continuation), timeout)
            }
        } onCancel: {
            giveUp(id)
        }
    }

    /// Passes the turn to the request that has waited longest.
    func end() {
        let next = state.withLock { state -> Waiter? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.continuation.resume(returning: true)
    }

    private func enqueue(_ waiter: Waiter, _ timeout: TimeInterval) {
        let isFirst = state.withLock { state in
            if state.isTaken {
                state.waiters.append(waiter)
                return false
            }
            state.isTaken = true
            return true
        }
        if isFirst { return waiter.continuation.resume(returning: true) }
        // The handler of an earlier cancellation didn't find the waiter.
        if Task.isCancelled { return giveUp(waiter.id) }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak self] in
            self?.giveUp(waiter.id)
        }
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }
}

internal import Dispatch
internal import Foundation
internal import PushCryptSystem
internal import UserNotifications

/// One call of a vendor's helper, whose first answer counts.
final class HelperCall: Sendable {
    private typealias Content = UncheckedSendable<UNNotificationContent>
    private typealias Continuation = CheckedContinuation<Content, any Error>

    private enum State: Sendable {
        case idle
        case waiting(Continuation)
        case ended
    }

    private let state = LockedValue(State.idle)

    /// Calls the helper on a queue of its own, and returns its first answer.
    ///
    /// - Parameter helper: Calls the helper, which calls ``answer(_:)``.
    /// - Returns: A copy of the answer.
    /// - Throws: What the helper throws, or `CancellationError`.
    func answer(
        of helper: @escaping @Sendable (HelperCall) throws -> Void
    ) async throws -> UncheckedSendable<UNNotificationContent> {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { begin(helper, $0) }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// Takes an answer of the helper.
    func answer(_ content: UNNotificationContent) {
        // A copy, because the helper may go on changing its own object.
        end(.success(Content(value: content.copy() as? UNNotificationContent ?? content)))
    }

    private func begin(
        _ helper: @escaping @Sendable (HelperCall) throws -> Void, _ continuation: Continuation
    ) {
        let isWaiting = state.withLock { state in
            guard case .idle = state else { return false }
            state = .waiting(continuation)
            return true
        }
        guard isWaiting else { return continuation.resume(throwing: CancellationError()) }
        DispatchQueue(label: "pushcrypt.helper", qos: .userInitiated).async {
            do {
                try helper(self)
            } catch {
                self.end(.failure(error))
            }
        }
    }

    /// Ends the wait, once.
    private func end(_ result: Result<Content, any Error>) {
        let waiting = state.withLock { state -> Continuation? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(with: result)
    }
}

internal import PushCryptCore

/// What becomes of one request, noted in the log of outcomes and told to the app's own log.
///
/// Its beginning and its end come on different threads, and in any order: where the deadline is faster than the beginning,
/// nothing may stay behind that looks like a killed extension.
final class DeliveryNote: Sendable {
    private struct State: Sendable {
        var ticket: DeliveryLog.Ticket?
        var hasEnded = false
    }

    private let state = LockedValue(State())
    private let notification: DeliveredNotification
    private let outcomes: DeliveryLog?
    private let log: NotificationHandler.Log?

    /// Prepares a note; nothing is written yet.
    init(_ notification: DeliveredNotification, in outcomes: DeliveryLog?, log: NotificationHandler.Log?) {
        self.notification = notification
        self.outcomes = outcomes
        self.log = log
    }

    /// Notes that the request was begun, unless it has ended already.
    func begin() {
        write { (outcomes, state) throws(PushCryptError) in
            if !state.hasEnded { state.ticket = try outcomes.begin(notification) }
        }
    }

    /// Notes how it ended, and tells the app's log.
    func end(_ outcome: NotificationOutcome) {
        write { (outcomes, state) throws(PushCryptError) in
            state.hasEnded = true
            try outcomes.end(state.ticket, notification, outcome)
        }
        log?(.presented(outcome))
        if case .opened(let push) = outcome, let failure = push.replayGuardFailure {
            log?(.replayGuardFailed(failure))
        }
    }

    private func write(_ step: (DeliveryLog, inout State) throws(PushCryptError) -> Void) {
        guard let outcomes else { return }
        do throws(PushCryptError) {
            try state.withLock { (state) throws(PushCryptError) in try step(outcomes, &state) }
        } catch {
            log?(
                .outcomeLogFailed(
                    PushCryptError(
                        .deliveryLogUnavailable, "The log of outcomes could not be written. \(error.reason)")))
        }
    }
}

internal import PushCryptCore
internal import PushCryptSystem

/// Records one request in the delivery log and in the app's own log.
final class DeliveryRecorder: Sendable {
    private struct State: Sendable {
        var begun: DeliveryLogEntry?
        var hasEnded = false
        /// The hash of the sealed value; `nil` until the secrets are read.
        var fingerprint: String?
    }

    private let state = LockedValue(State())
    private let notification: DeliveredNotification
    private let deliveryLog: DeliveryLog?
    private let log: AppCallbacks.Log?

    init(_ notification: DeliveredNotification, in deliveryLog: DeliveryLog?, log: AppCallbacks.Log?) {
        self.notification = notification
        self.deliveryLog = deliveryLog
        self.log = log
    }

    /// Records the beginning, unless the request has ended: the entry would look like a crash.
    ///
    /// It reads the secrets first, and not under the lock, because their store may block longer than the request lasts.
    func begin() {
        let fingerprint = deliveryLog?.fingerprint(of: notification)
        write { (deliveryLog, state) throws(PushCryptError) in
            state.fingerprint = fingerprint
            if !state.hasEnded { state.begun = try deliveryLog.begin(fingerprint) }
        }
    }

    /// Records the outcome in the delivery log, before the content is handed over.
    ///
    /// Afterwards the system may suspend or end the process, and ends one that holds the lock of a shared file.
    func end(_ outcome: NotificationOutcome, hasReceipt: Bool) {
        write { (deliveryLog, state) throws(PushCryptError) in
            state.hasEnded = true
            try deliveryLog.end(state.begun, state.fingerprint, outcome: outcome, hasReceipt: hasReceipt)
        }
    }

    /// Reports the outcome to the app's own log, after the content was handed over.
    func report(_ outcome: NotificationOutcome) {
        log?(NotificationHandler.Event(outcome))
        if let failure = outcome.push?.replayGuardFailure { log?(.init(failure)) }
    }

    private func write(_ step: (DeliveryLog, inout State) throws(PushCryptError) -> Void) {
        guard let deliveryLog else { return }
        do throws(PushCryptError) {
            try state.withLock { (state) throws(PushCryptError) in try step(deliveryLog, &state) }
        } catch {
            let reason = "The delivery log can't be written. \(error.reason)"
            log?(.init(PushCryptError(.deliveryLogUnavailable, reason)))
        }
    }
}

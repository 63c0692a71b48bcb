@testable import PushCryptReceiver

extension DeliveryLog {
    /// Records the outcome of a notification without a receipt.
    func end(
        _ begun: DeliveryLogEntry?, _ notification: DeliveredNotification, outcome: PushOutcome
    ) throws(PushCryptError) {
        try end(begun, fingerprint(of: notification), outcome: outcome, hasReceipt: false)
    }

    /// Records the beginning of a notification.
    func begin(_ notification: DeliveredNotification) throws(PushCryptError) -> DeliveryLogEntry {
        try begin(fingerprint(of: notification))
    }
}

extension Ledger {
    /// Records a notification, and returns whether it is displayed.
    mutating func shows(_ notification: Entry, now: UInt64) -> Bool {
        if case .shown = show(notification, now: now) { true } else { false }
    }
}

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

extension Ledger.Digest: ExpressibleByArrayLiteral {
    /// Creates a digest from at most 16 bytes, with zeros after them.
    init(_ bytes: [UInt8]) {
        let bytes = bytes + [UInt8](repeating: 0, count: Self.length - bytes.count)
        self.init(bytes.span)
    }

    /// Creates a digest from a literal of at most 16 bytes, with zeros after them.
    public init(arrayLiteral bytes: UInt8...) { self.init(bytes) }
}

extension Ledger {
    /// Records a notification, and returns whether it is displayed.
    mutating func shows(_ notification: Entry, now: UInt64) -> Bool {
        if case .shown = show(notification, now: now) { true } else { false }
    }
}

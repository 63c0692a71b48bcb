internal import PushCryptCore
internal import PushCryptSystem

/// What one request has found out, for the thread that decides.
final class RequestRecord: Sendable {
    struct State: Sendable {
        /// The entry of the delivery log; `nil` until the beginning is recorded.
        var begun: DeliveryLogEntry?
        var hasEnded = false
        /// The hash of the sealed value; `nil` until the secrets are read.
        var fingerprint: String?
        /// A Boolean value that indicates whether the secrets were read.
        ///
        /// Until then, their store may block. So the thread that ends the request doesn't use what
        /// needs them.
        var hasReadSecrets = false
        var placed: PlacedMessage?
        var found: LookUp?
        /// The last reading of the system's list.
        var listing: Ledger.Listing?
    }

    let state = LockedValue(State())
}

extension PushCryptError {
    static func deliveryLogUnavailable(_ error: PushCryptError) -> PushCryptError {
        PushCryptError(
            .deliveryLogUnavailable, "The delivery log can't be written. \(error.reason)")
    }
}

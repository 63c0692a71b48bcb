internal import PushCryptCore

/// The random mark that the device's secrets and the app's stores have in common.
///
/// A store without it was deleted, or comes from another device, while the secrets stayed. So it
/// has forgotten messages that the device's keys still open.
struct StoreEpoch: Hashable, Sendable {
    /// The number of bytes.
    static let length = 16

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the epoch of a store; returns `nil` for zeros, which a store has if the app had no
    /// secrets.
    init?(stored bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.length, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = Array(bytes)
    }

    static func random() throws(PushCryptError) -> StoreEpoch {
        var bytes = [UInt8](repeating: 0, count: length)
        try RandomBytes.fill(&bytes, 0..<length)
        return StoreEpoch(bytes)
    }

    /// The epoch's bytes, or zeros if the app has no secrets.
    static func bytes(_ epoch: StoreEpoch?) -> [UInt8] {
        epoch?.bytes ?? [UInt8](repeating: 0, count: length)
    }
}

/// The first step with a store, before its contents count.
enum StoreStart: Hashable, Sendable {
    /// The store carries the epoch, or the app has no secrets.
    case unchanged
    /// The store gets the epoch, and its contents count as before.
    case adopted
    /// The store gets the epoch, and begins now: messages from before may have been forgotten.
    case now

    /// Compares the epoch of a store, `nil` if the store is missing or has none, with the epoch of
    /// the secrets.
    ///
    /// The stores of an app whose secrets have just been created lack the epoch for that reason.
    static func of(
        _ store: StoreEpoch?, under epoch: StoreEpoch?, secretsAreNew: Bool
    ) -> StoreStart {
        guard let epoch, store != epoch else { return .unchanged }
        return secretsAreNew && store == nil ? .adopted : .now
    }
}

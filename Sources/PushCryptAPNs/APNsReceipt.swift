#if APNs
public import PushCryptFoundation

/// The answer of APNs to a push that it accepted.
public struct APNsReceipt: Sendable {
    /// The header `apns-id`, which all attempts had.
    public let id: UUID
    /// The header `apns-unique-id`, which the sandbox sends, for the Push Notifications Console.
    public let uniqueID: String?
    /// The number of attempts; with more than one, the device may receive the push twice.
    public let attempts: Int
}
#endif

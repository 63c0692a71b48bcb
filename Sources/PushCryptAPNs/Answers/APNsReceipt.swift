#if APNs
public import PushCryptFoundation

/// The answer of APNs to a push that it accepted.
public struct APNsReceipt: Sendable {
    /// The header `apns-id`, which all attempts had.
    public let id: UUID
    /// The header `apns-unique-id`, which the sandbox sends, for the Push Notifications Console.
    public let uniqueID: String?
    /// The number of attempts, at least 1.
    ///
    /// A request that APNs surely hasn't processed, such as one above the last stream of GOAWAY,
    /// isn't an attempt.
    public let attempts: Int
    /// A Boolean value that indicates whether APNs may have accepted the push more than once,
    /// because an earlier answer was lost.
    ///
    /// If it's `false`, APNs has accepted the push once.
    public let mayArriveTwice: Bool

    /// Creates a receipt, for a stand-in of the client in tests.
    ///
    /// - Parameters:
    ///   - id: The header `apns-id`.
    ///   - uniqueID: The header `apns-unique-id`.
    ///   - attempts: The number of attempts.
    ///   - mayArriveTwice: A Boolean value that indicates whether APNs may have accepted the push
    ///     more than once.
    public init(id: UUID, uniqueID: String? = nil, attempts: Int = 1, mayArriveTwice: Bool = false)
    {
        self.id = id
        self.uniqueID = uniqueID
        self.attempts = attempts
        self.mayArriveTwice = mayArriveTwice
    }
}
#endif

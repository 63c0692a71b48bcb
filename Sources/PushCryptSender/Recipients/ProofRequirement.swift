public import PushCryptCore
public import PushCryptFoundation

/// The requirement that a recipient has proved that its key and its device token belong to the same
/// device.
///
/// ```swift
/// func sealer(_ keyring: SigningKeyring, _ proofs: ProofOfPossession) -> Sealer {
///     Sealer(.signed(by: keyring), proofs: proofs.requirement)
/// }
/// ```
public struct ProofRequirement: Sendable, Hashable {
    /// The time at which proofs were switched on; `nil` if they aren't required.
    let start: Date?

    /// No requirement, as for a server without proofs.
    public static let notRequired = ProofRequirement(start: nil)

    /// A proof is required, except for rows from before a date, which are accepted until 30 days
    /// after it.
    ///
    /// - Parameter start: The time at which proofs were switched on.
    /// - Returns: The requirement.
    public static func required(since start: Date) -> ProofRequirement {
        ProofRequirement(start: start)
    }

    /// The time in seconds for which rows from before are accepted.
    static let transition: TimeInterval = 30 * 24 * 3600

    /// Throws if a recipient doesn't fulfil the requirement.
    ///
    /// - Parameters:
    ///   - recipient: The recipient. A public key or a registration alone has no proof.
    ///   - now: The time at which the push is sealed or sent.
    /// - Throws: ``PushCryptError`` with `unprovedRecipient`.
    public func check(_ recipient: some SealTarget, at now: Date) throws(PushCryptError) {
        guard let start, !recipient.isProved(at: now, requiredSince: start) else { return }
        throw PushCryptError(
            .unprovedRecipient,
            """
            The recipient hasn't proved that its key and its device token belong together. Wait \
            until its device has answered a challenge.
            """)
    }
}

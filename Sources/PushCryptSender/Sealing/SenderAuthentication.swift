public import PushCryptCore
public import PushCryptKeyring

/// The authentication of the sender, which a receiver checks with its `SenderPolicy`.
///
/// ```swift
/// let sealer = Sealer(.signed(by: keyring))
/// ```
public struct SenderAuthentication: Sendable {
    /// The keys to choose from, the preferred one first; `nil` for an anonymous sender.
    let signers: [Signer]?

    /// No signature.
    ///
    /// Anyone with the public key of a device can send it such a message.
    public static let anonymous = SenderAuthentication(signers: nil)

    /// A signature by a key.
    ///
    /// The devices have its public key and can reject all other senders.
    public static func signed(by key: SigningKey) -> SenderAuthentication {
        signed(by: [Signer(key)])
    }

    /// A signature by the keyring's primary key, or by the newest retired key for a device that
    /// accepts no newer one.
    ///
    /// A device's registration tells the keys that it accepts. For a device that doesn't tell them,
    /// the primary key signs. So a promotion doesn't reach a device before its list of accepted
    /// keys does.
    public static func signed(by keyring: SigningKeyring) -> SenderAuthentication {
        signed(by: keyring.signers)
    }

    /// A signature by the first signer that the device accepts.
    ///
    /// For a device that doesn't tell its accepted keys, the first signer signs.
    ///
    /// - Parameter signers: The signers in the order of preference: the primary key, and retired
    ///   keys, the newest first. With none, sealing throws `noAcceptedKey`.
    /// - Returns: The authentication.
    public static func signed(by signers: [Signer]) -> SenderAuthentication {
        SenderAuthentication(signers: signers)
    }

    /// A Boolean value that indicates whether messages are signed.
    var isSigned: Bool { signers != nil }

    /// Returns the signer for a device; `nil` for an anonymous sender.
    ///
    /// - Throws: ``PushCryptError`` with `noAcceptedKey`.
    package func signer(for accepted: AcceptedSigners?) throws(PushCryptError) -> Signer? {
        guard let signers else { return nil }
        for signer in signers where accepted?.contains(signer.publicKey) ?? true { return signer }
        throw PushCryptError(
            .noAcceptedKey,
            """
            The device accepts none of the server's signing keys. Send it a placeholder, and seal \
            again after its next registration.
            """)
    }
}

public import PushCryptCore
public import PushCryptFoundation
public import PushCryptKeyring

/// A device that a payload is sealed for: a ``Recipient``, a ``Registration``, a public key alone,
/// or your own type.
public protocol SealTarget {
    /// The public key of the device.
    var key: RecipientPublicKey { get }

    /// The longest lifetime of messages to the key, in seconds, to which the sealer shortens its
    /// own.
    var lifetime: TimeInterval { get }

    /// The keys from which the device accepts signatures; `nil` only if the device hasn't
    /// registered them.
    ///
    /// A sealer with a keyring signs with the first of its keys that is among these. Without them,
    /// it signs with its primary key, so that a device that doesn't know that key yet gets no
    /// readable push.
    var signers: AcceptedSigners? { get }

    /// Returns a Boolean value that indicates whether a carrier delivers pushes to the device;
    /// `true` by default.
    ///
    /// A sealer rejects a device that its carrier doesn't reach.
    func isReached(by carrier: Carrier) -> Bool

    /// Returns a Boolean value that indicates whether the device has proved that its key and its
    /// device token belong together; `false` by default.
    ///
    /// - Parameters:
    ///   - now: The time at which the push is sealed or sent.
    ///   - start: The time at which the server has switched proofs on.
    /// - Returns: The Boolean value.
    func isProved(at now: Date, requiredSince start: Date) -> Bool
}

extension SealTarget {
    /// `true`, because a key or a registration alone has no device token.
    public func isReached(by carrier: Carrier) -> Bool { true }

    /// `false`, because a key or a registration alone has no proof.
    public func isProved(at now: Date, requiredSince start: Date) -> Bool { false }
}

extension Registration: SealTarget {}

extension RecipientPublicKey: SealTarget {
    /// The key itself.
    public var key: RecipientPublicKey { self }

    /// 30 days, because a public key alone doesn't limit the lifetime.
    public var lifetime: TimeInterval { TimeInterval(KeyLifetime.range.upperBound) }

    /// `nil`, because a public key alone doesn't tell the accepted keys.
    public var signers: AcceptedSigners? { nil }
}

public import PushCryptCore
public import PushCryptKeyring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A device that a payload is sealed for: its stored ``Recipient``, its ``Registration`` or its public key alone.
///
/// Your own type for a row of a database can conform.
public protocol PushRecipient {
    /// The public key of the device.
    var key: RecipientPublicKey { get }

    /// The longest lifetime of messages to the key, in seconds, to which the sealer shortens its own.
    var lifetime: TimeInterval { get }
}

extension Recipient: PushRecipient {}

extension Registration: PushRecipient {}

extension RecipientPublicKey: PushRecipient {
    /// The key itself.
    public var key: RecipientPublicKey { self }

    /// 30 days, because a public key alone doesn't limit the lifetime.
    public var lifetime: TimeInterval { TimeInterval(KeyLifetime.range.upperBound) }
}

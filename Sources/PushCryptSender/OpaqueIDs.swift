public import PushCryptCore

/// Makes ids that say nothing to those who read them on the way, and are the same each time for one key of a device.
///
/// A collapse id is a request header, and an exposed thread id is a visible part of the payload, so both travel in the
/// clear. With these, whoever reads them learns only which pushes to one device belong together.
///
/// The ids change when another key is used. Where they must stay the same while the signing keys are rotated, make them
/// with a key from a keyring of their own that is not rotated. They change with the device's key as well, so that nobody
/// can tell from them what two devices have in common.
public struct OpaqueIDs: Sendable {
    /// What an id is for.
    ///
    /// The same private id gives another one for each purpose.
    private enum Purpose: String {
        case collapseID = "collapse-id"
        case threadID = "thread-id"
    }

    private static let domain = "pushcrypt/v1/opaque-id"

    /// Short enough for the 64 bytes of a collapse id, and long enough that no two private ids ever have the same.
    private static let length = 24

    private let secret: SecretBytes

    /// Derives an own secret from a signing key, so that neither gives away the other.
    ///
    /// The secret is the 32-byte BLAKE2b of the ASCII text `pushcrypt/v1/opaque-id`, keyed with the seed of `key`.
    ///
    /// - Parameter key: the key that the ids depend on; its public half says nothing about them.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public init(keyedBy key: SigningKey) throws(PushCryptError) {
        let domain = Array(Self.domain.utf8)
        secret = try BLAKE2b.secret(domain.span, keyedBy: key.secret, count: 32)
    }

    /// The collapse id that stands for a private id on one device.
    ///
    /// It is the base64url without padding of the 24-byte BLAKE2b, keyed with the derived secret, of these bytes:
    ///
    /// | bytes | what they are |
    /// |---|---|
    /// | 1 | how many bytes the purpose has: 11 |
    /// | 11 | the purpose: `collapse-id` |
    /// | 32 | the public key of the recipient |
    /// | the rest | the private id in UTF-8 |
    ///
    /// All but the last has a known length, so that no two different inputs have the same bytes. Texts that look alike,
    /// such as é in one scalar and in two, are different ids.
    ///
    /// - Parameters:
    ///   - privateID: what the app calls it, of any length; it does not travel.
    ///   - recipient: the device's key. On another device the same private id has another collapse id.
    /// - Returns: 32 characters for ``APNsHeaders/collapseID``.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public func collapseID(
        for privateID: String, to recipient: RecipientPublicKey
    ) throws(PushCryptError) -> String {
        try id(.collapseID, for: privateID, to: recipient)
    }

    /// The thread id that stands for a private id on one device.
    ///
    /// It is made as ``collapseID(for:to:)`` is, with `thread-id` as purpose and 9 as its length.
    ///
    /// - Parameters:
    ///   - privateID: what the app calls it, of any length; it does not travel.
    ///   - recipient: the device's key. On another device the same private id has another thread id.
    /// - Returns: 32 characters for `thread-id` in `aps`.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public func threadID(
        for privateID: String, to recipient: RecipientPublicKey
    ) throws(PushCryptError) -> String {
        try id(.threadID, for: privateID, to: recipient)
    }

    private func id(
        _ purpose: Purpose, for privateID: String, to recipient: RecipientPublicKey
    ) throws(PushCryptError) -> String {
        let name = Array(purpose.rawValue.utf8)
        let message = [UInt8(name.count)] + name + recipient.rawRepresentation + Array(privateID.utf8)
        return Base64URL.encode(try BLAKE2b.hash(message.span, keyedBy: secret, count: Self.length))
    }
}

public import PushCryptCore

/// A generator of collapse IDs and thread IDs that tell APNs nothing but which pushes to a device
/// belong together.
///
/// ```swift
/// let ids = try OpaqueIDs(keyedBy: keyring.primary.key)
/// let headers = APNsHeaders(collapseID: try ids.collapseID(for: "chat-with-anna", to: device))
/// ```
///
/// Collapse IDs and exposed thread IDs aren't sealed. An opaque ID is the same each time for one
/// private ID, signing key and device key, and changes with any of them. If it must survive
/// rotation of the signing key, use a separate key.
public struct OpaqueIDs: Sendable {
    private let secret: SecretBytes

    /// Creates a generator with a secret that is derived from a signing key.
    ///
    /// The secret is the 32-byte BLAKE2b of the ASCII string `pushcrypt/v1/opaque-id`, keyed with
    /// the seed of `key`.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public init(keyedBy key: SigningKey) throws(PushCryptError) {
        let domain = Array("pushcrypt/v1/opaque-id".utf8)
        secret = try SecretBytes(count: 32) { (secret) throws(PushCryptError) in
            try BLAKE2b.hash(domain.span, keyedBy: key.secret, into: &secret)
        }
    }

    /// Returns the opaque collapse ID of a private ID on one device.
    ///
    /// It is the base64url without padding of the 24-byte BLAKE2b, keyed with the derived secret,
    /// of these bytes: the length 11 of the purpose, the purpose `collapse-id`, the recipient's
    /// public key, and the private ID in UTF-8.
    ///
    /// - Returns: 32 characters for ``APNsHeaders/collapseID``.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public func collapseID(
        for privateID: String, to recipient: RecipientPublicKey
    ) throws(PushCryptError) -> String {
        try id("collapse-id", for: privateID, to: recipient)
    }

    /// Returns the opaque thread ID of a private ID on one device, derived with the length 9 and
    /// `thread-id`.
    ///
    /// - Returns: 32 characters for `thread-id` in `aps`.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public func threadID(
        for privateID: String, to recipient: RecipientPublicKey
    ) throws(PushCryptError) -> String {
        try id("thread-id", for: privateID, to: recipient)
    }

    private func id(
        _ purpose: String, for privateID: String, to recipient: RecipientPublicKey
    ) throws(PushCryptError) -> String {
        let name = Array(purpose.utf8)
        let message =
            [UInt8(name.count)] + name + recipient.rawRepresentation + Array(privateID.utf8)
        // 24 bytes avoid collisions, and fit the 64 bytes of a collapse ID in base64url.
        var digest = [UInt8](repeating: 0, count: 24)
        var room = digest.mutableSpan
        try BLAKE2b.hash(message.span, keyedBy: secret, into: &room)
        return Base64URL.encode(digest)
    }
}

internal import PushCryptCore
package import PushCryptFoundation

/// The derivation of the header `apns-id` from the ID of a message (Docs/Format.md, section 5).
///
/// It keeps its buffers, so that a push needs no allocation for its ID.
struct APNsIDDerivation: Sendable {
    private static let domain = [UInt8]("pushcrypt/v1/apns-id".utf8) + [0]

    private var input = domain + MessageID.zero.bytes
    private var digest = [UInt8](repeating: 0, count: 16)

    /// Returns the `apns-id` of a push whose message has an ID.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    mutating func id(of message: MessageID) throws(PushCryptError) -> UUID {
        message.write(to: &input, at: Self.domain.count)
        try BLAKE2b.hash(input, into: &digest)
        return UUID(digest, version: 8)
    }
}

extension UUID {
    /// Creates a UUID from 16 bytes, and overwrites the bits of its version and its variant (RFC
    /// 9562, section 4).
    package init(_ bytes: [UInt8], version: UInt8) {
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
                bytes[6] & 0x0F | version << 4, bytes[7],
                bytes[8] & 0x3F | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13],
                bytes[14], bytes[15]
            ))
    }
}

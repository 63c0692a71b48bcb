package import PushCryptCore
package import PushCryptReceiver
package import PushCryptTesting

/// A valid or invalid message from the tables of the format, with libsodium only.
package struct RawMessage {
    package var authentication: UInt8
    package var kind: UInt8
    package var lifetime: UInt32
    package var id: [UInt8]
    package var issuedAt: UInt64
    package var claimedLength: Int?
    package var payload: [UInt8]
    package var padding: [UInt8]
    /// The signer; `nil` for an anonymous message.
    package var signer: TestKeys.Sender?

    package init(
        authentication: UInt8 = 0, kind: UInt8 = 1, lifetime: UInt32 = 604_800,
        id: [UInt8] = [UInt8](1...16),
        issuedAt: UInt64 = 0x0102_0304_0506_0708, payload: [UInt8] = Array(#"{"aps":{}}"#.utf8),
        padding: [UInt8] = [],
        signer: TestKeys.Sender? = nil
    ) {
        self.authentication = authentication
        self.kind = kind
        self.lifetime = lifetime
        self.id = id
        self.issuedAt = issuedAt
        self.payload = payload
        self.padding = padding
        self.signer = signer
    }

    /// The message without its signature.
    package var unsignedBytes: [UInt8] {
        let length = claimedLength ?? payload.count
        var bytes = [authentication, kind, UInt8(length >> 8), UInt8(length & 0xFF)]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: lifetime >> UInt32(24 - 8 * $0)) }
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: issuedAt >> UInt64(56 - 8 * $0)) }
        bytes += id + payload + padding
        if let signer {
            bytes += Self.keyID(
                RawSodium.signingKeyPair(of: Array(signer.rawValue.utf8)).publicKey, "Ed25519")
        }
        return bytes
    }

    /// Returns the message for a device.
    package func bytes(to device: TestKeys.Device = .alice) -> [UInt8] {
        guard let signer else { return unsignedBytes }
        return unsignedBytes
            + RawSodium.signature(
                of: Self.signedContext(of: device) + unsignedBytes,
                seed: Array(signer.rawValue.utf8))
    }

    /// Returns the envelope.
    package func envelope(to device: TestKeys.Device = .alice) -> [UInt8] {
        Self.envelope(bytes(to: device), to: device)
    }

    package static func envelope(_ message: [UInt8], to device: TestKeys.Device = .alice) -> [UInt8]
    {
        header(for: device) + RawSodium.seal(message, to: publicKey(of: device)).box
    }

    package static func publicKey(of device: TestKeys.Device) -> [UInt8] {
        RawSodium.publicKey(of: Array(device.rawValue.utf8))
    }

    package static func header(for device: TestKeys.Device) -> [UInt8] {
        [1] + keyID(publicKey(of: device), "X25519")
    }

    package static func signedContext(of device: TestKeys.Device) -> [UInt8] {
        Array("pushcrypt/v1/signature".utf8) + [0] + header(for: device) + publicKey(of: device)
    }

    /// Returns the header `apns-id` of a push whose message has the 16 bytes of an ID.
    package static func apnsID(of id: some Sequence<UInt8>) -> String {
        var bytes = RawSodium.hash(Array("pushcrypt/v1/apns-id".utf8) + [0] + id, count: 16)
        bytes[6] = 0x80 + bytes[6] % 16
        bytes[8] = 0x80 + bytes[8] % 64
        return bytes.enumerated().map { index, byte in
            let hyphen = [4, 6, 8, 10].contains(index) ? "-" : ""
            return hyphen + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    package static func keyID(_ key: [UInt8], _ curve: String) -> [UInt8] {
        let canonical = #"{"crv":"\#(curve)","kty":"OKP","x":"\#(foundationBase64URL(key))"}"#
        return Array(RawSodium.sha256(Array(canonical.utf8)).prefix(8))
    }
}

/// Opens an envelope with the key that its header names.
package func open(_ envelope: [UInt8], with key: RecipientPrivateKey) throws(PushCryptError)
    -> IncomingMessage
{
    guard try Envelope.keyID(of: envelope) == key.publicKey.keyID else {
        throw PushCryptError(.unknownKey, "Another key.")
    }
    return try IncomingMessage(opening: envelope, with: key)
}

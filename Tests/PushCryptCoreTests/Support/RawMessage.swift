import PushCryptCore
import PushCryptTesting
import TestSupport

/// A valid or invalid message from the tables of the format, with libsodium only.
struct RawMessage {
    var authentication: UInt8 = 0
    var id = [UInt8](1...16)
    var issuedAt: UInt64 = 0x0102_0304_0506_0708
    var claimedLength: Int?
    var payload = Array(#"{"aps":{}}"#.utf8)
    var padding: [UInt8] = []
    /// The signer; `nil` for an anonymous message.
    var signer: TestKeys.Sender?

    /// The message without its signature.
    var unsignedBytes: [UInt8] {
        let length = claimedLength ?? payload.count
        var bytes = [authentication] + id
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: issuedAt >> UInt64(56 - 8 * $0)) }
        bytes += [UInt8(length >> 8), UInt8(length & 0xFF)] + payload + padding
        if let signer {
            bytes += Self.keyID(RawSodium.signingKeyPair(of: Array(signer.rawValue.utf8)).publicKey, "Ed25519")
        }
        return bytes
    }

    /// Returns the message for a device.
    func bytes(to device: TestKeys.Device = .alice) -> [UInt8] {
        guard let signer else { return unsignedBytes }
        return unsignedBytes
            + RawSodium.signature(of: Self.signedContext(of: device) + unsignedBytes, seed: Array(signer.rawValue.utf8))
    }

    /// Returns the envelope.
    func envelope(to device: TestKeys.Device = .alice) -> [UInt8] {
        Self.envelope(bytes(to: device), to: device)
    }

    static func envelope(_ message: [UInt8], to device: TestKeys.Device = .alice) -> [UInt8] {
        header(for: device) + RawSodium.seal(message, to: publicKey(of: device)).box
    }

    static func publicKey(of device: TestKeys.Device) -> [UInt8] {
        RawSodium.publicKey(of: Array(device.rawValue.utf8))
    }

    static func header(for device: TestKeys.Device) -> [UInt8] {
        [1] + keyID(publicKey(of: device), "X25519")
    }

    static func signedContext(of device: TestKeys.Device) -> [UInt8] {
        Array("pushcrypt/v1/signature".utf8) + [0] + header(for: device) + publicKey(of: device)
    }

    static func keyID(_ key: [UInt8], _ curve: String) -> [UInt8] {
        let canonical = #"{"crv":"\#(curve)","kty":"OKP","x":"\#(foundationBase64URL(key))"}"#
        return Array(RawSodium.sha256(Array(canonical.utf8)).prefix(8))
    }
}

/// Opens an envelope with the key that its header names.
func open(_ envelope: [UInt8], with key: RecipientPrivateKey) throws(PushCryptError) -> IncomingMessage {
    guard try Envelope.keyID(of: envelope) == key.publicKey.keyID else {
        throw PushCryptError(.unknownKey, "Another key.")
    }
    return try IncomingMessage(opening: envelope, with: key)
}

import PushCryptCore
import TestSupport
import Testing

/// The vectors of RFC 7748 §6.1.
@Suite struct X25519Tests {
    static let vectors = [
        (
            "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
            "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
        ),
        (
            "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
            "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
        ),
    ]

    @Test("The public keys of RFC 7748 are derived", arguments: vectors)
    func derivesThePublicKey(_ secret: String, _ publicKey: String) throws {
        #expect(
            try X25519KeyPair(secret: SecretBytes(hex(secret))).publicKey.array == hex(publicKey))
    }
}

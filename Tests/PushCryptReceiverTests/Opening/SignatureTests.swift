import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

@Suite struct SignatureTests {
    let key: RecipientPrivateKey
    let signer: VerificationKey
    let raw = RawMessage(authentication: 1, padding: [0, 0, 0], signer: .acme)

    init() throws {
        key = try TestKeys.device()
        signer = try TestKeys.sender().publicKey
    }

    private func verify(_ message: [UInt8], with other: VerificationKey? = nil) -> PushCryptError
        .Code?
    {
        errorCode {
            try open(RawMessage.envelope(message), with: key).verify(with: other ?? signer)
        }
    }

    @Test("Only the key of the signer verifies a message") func theSignersKeyVerifiesAndNoOther()
        throws
    {
        #expect(verify(raw.bytes()) == nil)
        #expect(
            verify(raw.bytes(), with: try TestKeys.sender(.mallory).publicKey) == .invalidSignature)
    }

    @Test("An anonymous message cannot be verified") func anAnonymousMessageHasNothingToVerify() {
        #expect(verify(RawMessage().bytes()) == .unsigned)
    }

    @Test("Every flipped bit of a signed message is detected")
    func noBitOfASignedMessageCanBeFlipped() {
        let message = raw.bytes()
        // Flipped bits of the first four bytes, and of the padding, can be rejected before the
        // signature is checked, and so can the high bits of the lifetime.
        let strict = Set(0..<4 * 8).union(4 * 8..<6 * 8).union(
            (message.count - 75) * 8..<(message.count - 72) * 8)
        for bit in 0..<(message.count * 8) where !strict.contains(bit) {
            #expect(verify(flipping(bit: bit, of: message)) == .invalidSignature, "bit \(bit)")
        }
        for bit in strict {
            #expect(verify(flipping(bit: bit, of: message)) != nil, "bit \(bit)")
        }
    }

    @Test("A message cannot be forwarded to another recipient") func aMessageCannotBeForwarded() {
        // Bob opens a message that was signed for him and seals it for Alice.
        #expect(verify(raw.bytes(to: .bob)) == .invalidSignature)
    }

    @Test(
        "A signature for another domain is not valid",
        arguments: [
            "pushcrypt/v2/signature\0", "pushcrypt/v1/signature", "pushcrypt/v1/signature\0\0",
            "Pushcrypt/v1/signature\0",
            "pushcrypt/v1/signature\u{1}", "",
        ])
    func aSignatureOfAnotherDomainDoesNotFit(_ domain: String) {
        let context =
            Array(domain.utf8) + RawMessage.header(for: .alice) + RawMessage.publicKey(of: .alice)
        let seed = Array(TestKeys.Sender.acme.rawValue.utf8)
        let signature = RawSodium.signature(of: context + raw.unsignedBytes, seed: seed)
        #expect(verify(raw.unsignedBytes + signature) == .invalidSignature)
    }

    @Test("A signature without header or recipient is not valid")
    func aSignatureWithoutHeaderOrRecipientDoesNotFit() {
        let domain = Array("pushcrypt/v1/signature\0".utf8)
        let seed = Array(TestKeys.Sender.acme.rawValue.utf8)
        for context in [
            domain, domain + RawMessage.header(for: .alice),
            domain + RawMessage.publicKey(of: .alice), [],
        ] {
            let signature = RawSodium.signature(of: context + raw.unsignedBytes, seed: seed)
            #expect(verify(raw.unsignedBytes + signature) == .invalidSignature)
        }
    }
}

import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct SignatureTests {
    let key: RecipientPrivateKey
    let signer: VerificationKey
    let raw = RawMessage(authentication: 1, padding: [0, 0, 0], signer: .acme)

    init() throws {
        key = try TestKeys.device()
        signer = try TestKeys.sender().publicKey
    }

    private func verify(_ message: [UInt8], with other: VerificationKey? = nil) -> PushCryptError.Code? {
        errorCode { try open(RawMessage.envelope(message), with: key).verify(with: other ?? signer) }
    }

    @Test func theSignersKeyVerifiesAndNoOther() throws {
        #expect(verify(raw.bytes()) == nil)
        #expect(verify(raw.bytes(), with: try TestKeys.sender(.mallory).publicKey) == .invalidSignature)
    }

    @Test func anAnonymousMessageHasNothingToVerify() {
        #expect(verify(RawMessage().bytes()) == .unsigned)
    }

    @Test func noBitOfASignedMessageCanBeFlipped() {
        let message = raw.bytes()
        // Bits of the first byte, the length and the padding are refused before there is a signature to check.
        let strict = Set(0..<8).union(25 * 8..<27 * 8).union((message.count - 75) * 8..<(message.count - 72) * 8)
        for bit in 0..<(message.count * 8) where !strict.contains(bit) {
            #expect(verify(flipping(bit: bit, of: message)) == .invalidSignature, "bit \(bit)")
        }
        for bit in strict {
            #expect(verify(flipping(bit: bit, of: message)) != nil, "bit \(bit)")
        }
    }

    @Test func aMessageCannotBeForwarded() {
        // Bob opens what was signed for him and seals the same message for Alice.
        #expect(verify(raw.bytes(to: .bob)) == .invalidSignature)
    }

    @Test(arguments: [
        "pushcrypt/v2/signature\0", "pushcrypt/v1/signature", "pushcrypt/v1/signature\0\0", "Pushcrypt/v1/signature\0",
        "pushcrypt/v1/signature\u{1}", "",
    ])
    func aSignatureOfAnotherDomainDoesNotFit(_ domain: String) {
        let context = Array(domain.utf8) + RawMessage.header(for: .alice) + RawMessage.publicKey(of: .alice)
        let seed = Array(TestKeys.Sender.acme.rawValue.utf8)
        let signature = RawSodium.signature(of: context + raw.unsignedBytes, seed: seed)
        #expect(verify(raw.unsignedBytes + signature) == .invalidSignature)
    }

    @Test func aSignatureWithoutHeaderOrRecipientDoesNotFit() {
        let domain = Array("pushcrypt/v1/signature\0".utf8)
        let seed = Array(TestKeys.Sender.acme.rawValue.utf8)
        for context in [domain, domain + RawMessage.header(for: .alice), domain + RawMessage.publicKey(of: .alice), []]
        {
            let signature = RawSodium.signature(of: context + raw.unsignedBytes, seed: seed)
            #expect(verify(raw.unsignedBytes + signature) == .invalidSignature)
        }
    }
}

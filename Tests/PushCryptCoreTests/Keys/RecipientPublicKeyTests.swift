import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct RecipientPublicKeyTests {
    private func code(_ bytes: [UInt8]) -> PushCryptError.Code? {
        errorCode { try RecipientPublicKey(rawRepresentation: bytes) }
    }

    @Test("Every encoding of small order is rejected", arguments: Points.fourteenOfSmallOrder)
    func refusesEveryEncodingOfSmallOrder(_ point: [UInt8]) {
        #expect(code(point) == .invalidKey)
    }

    @Test("Every number from the prime on is rejected", arguments: Points.nineteenNotCanonical)
    func refusesEveryNumberFromThePrimeOn(_ point: [UInt8]) {
        #expect(code(point) == .invalidKey)
        #expect(code(Points.withTopBit(point)) == .invalidKey)
    }

    @Test("A key with the top bit is rejected", arguments: TestKeys.Device.allCases)
    func refusesATopBit(_ device: TestKeys.Device) throws {
        let key = RawMessage.publicKey(of: device)
        #expect(code(key) == nil)
        #expect(code(Points.withTopBit(key)) == .invalidKey)
    }

    @Test("Keys next to rejected keys are accepted") func acceptsWhatLiesNextToTheRefused() {
        #expect(code(Points.belowTwoTo255(0xEB)) == nil, "p − 2")
        #expect(code([2] + [UInt8](repeating: 0, count: 31)) == nil)
        var nearly = Points.belowTwoTo255(0xFF)
        for index in 1..<31 {
            nearly[index] = 0xFE
            #expect(code(nearly) == nil, "Below p by byte \(index).")
            nearly[index] = 0xFF
        }
        nearly[31] = 0x7E
        #expect(code(nearly) == nil)
        for point in Points.sevenOfSmallOrder[2...3] {
            #expect(code(flipping(bit: 0, of: point)) == nil)
            #expect(code(flipping(bit: 240, of: point)) == nil)
        }
    }

    @Test("Another length is rejected", arguments: [0, 31, 33, 64])
    func refusesAnyOtherLength(_ count: Int) {
        #expect(code([UInt8](repeating: 9, count: count)) == .invalidKey)
    }

    @Test("Invalid keys are rejected in a JWK, too") func isRefusedInAJWKToo() {
        for point in Points.fourteenOfSmallOrder + Points.nineteenNotCanonical {
            let x = foundationBase64URL(point)
            #expect(errorCode { try RecipientPublicKey(parsing: x) } == .invalidKey)
            let jwk = #"{"kty":"OKP","crv":"X25519","x":"\#(x)"}"#
            #expect(errorCode { try RecipientPublicKey(parsing: jwk) } == .invalidKey)
        }
    }

    @Test("The thumbprint is the hash of the canonical JSON")
    func hasTheThumbprintOfItsCanonicalJSON() throws {
        let key = try TestKeys.device().publicKey
        let x = foundationBase64URL(key.rawRepresentation)
        let digest = RawSodium.sha256(Array(#"{"crv":"X25519","kty":"OKP","x":"\#(x)"}"#.utf8))
        #expect(key.kid == foundationBase64URL(digest))
        #expect(key.keyID.bytes == Array(digest[..<8]))
        #expect(
            key.jwk == #"{"kty":"OKP","crv":"X25519","use":"enc","kid":"\#(key.kid)","x":"\#(x)"}"#)
    }
}

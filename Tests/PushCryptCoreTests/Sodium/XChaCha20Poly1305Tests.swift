import TestSupport
import Testing

@testable import PushCryptCore

@Suite struct XChaCha20Poly1305Tests {
    private let key: SecretBytes
    private let nonce: [UInt8] = Array(0x40..<0x58)

    init() throws {
        key = try SecretBytes(Array(0x80..<0xA0))
    }

    /// draft-irtf-cfrg-xchacha-03, A.3.1.
    @Test("The vector of the draft is reproduced") func agreesWithTheDraft() throws {
        let text = """
            Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the \
            future, sunscreen would be it.
            """
        let associated: [UInt8] = [
            0x50, 0x51, 0x52, 0x53, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7,
        ]
        let sealed = try XChaCha20Poly1305.seal(
            SecretBytes(Array(text.utf8)), associated: associated, nonce: nonce, key: key)
        let hex = sealed.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(
            hex == """
                bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb\
                731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452\
                2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9\
                21f9664c97637da9768812f615c68b13b52e\
                c0875924c1c7987947deafd8780acf49
                """)
        let opened = try XChaCha20Poly1305.open(
            sealed, associated: associated, nonce: nonce, key: key)
        #expect(opened.copy == Array(text.utf8))
    }

    @Test("A changed ciphertext does not open") func nothingElseOpens() throws {
        let sealed = try XChaCha20Poly1305.seal(
            SecretBytes([1, 2, 3]), associated: [7], nonce: nonce, key: key)
        for index in sealed.indices {
            for bit in 0..<8 {
                var other = sealed
                other[index] ^= 1 << bit
                #expect(
                    errorCode {
                        try XChaCha20Poly1305.open(other, associated: [7], nonce: nonce, key: key)
                    }
                        == .wrongPassphrase)
            }
        }
        for length in 0..<sealed.count {
            let short = Array(sealed.prefix(length))
            #expect(
                errorCode {
                    try XChaCha20Poly1305.open(short, associated: [7], nonce: nonce, key: key)
                }
                    == .wrongPassphrase)
        }
        #expect(
            errorCode { try XChaCha20Poly1305.open(sealed, associated: [], nonce: nonce, key: key) }
                != nil)
        let otherNonce = Array(nonce.reversed())
        #expect(
            errorCode {
                try XChaCha20Poly1305.open(sealed, associated: [7], nonce: otherNonce, key: key)
            } != nil)
    }
}

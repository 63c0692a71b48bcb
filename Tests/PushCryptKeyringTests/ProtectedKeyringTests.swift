import TestSupport
import Testing

@testable import PushCryptCore
@testable import PushCryptKeyring

/// Keyrings that are protected by a passphrase.
@Suite struct ProtectedKeyringTests {
    /// A low cost, so that the test can flip every bit.
    private static let cost = Argon2id.Cost(operations: 1, memory: 8 << 10)
    private let text: SecretBytes
    private let passphrase: Passphrase

    init() throws {
        text = try SecretBytes(Array(#"{"generation":1,"keys":[]}"#.utf8))
        passphrase = try Passphrase(Array("correct horse".utf8))
    }

    private func protected() throws -> [UInt8] {
        Array(
            try ProtectedKeyring(protecting: text, with: passphrase, cost: Self.cost).contents.utf8)
    }

    private func open(_ bytes: [UInt8], _ passphrase: Passphrase) throws -> [UInt8] {
        try ProtectedKeyring(parsing: bytes.span).open(with: passphrase).copy
    }

    @Test("A protected keyring decrypts to its JSON") func opensToWhatItWas() throws {
        let bytes = try protected()
        let isProtected = ProtectedKeyring.isProtected(bytes.span)
        #expect(isProtected)
        #expect(try open(bytes, passphrase) == text.copy)
        // Editors add a line break at the end.
        #expect(try open(bytes, Passphrase(Array("correct horse\n".utf8))) == text.copy)
        #expect(try open(bytes, Passphrase(Array("correct horse\r\n".utf8))) == text.copy)
    }

    @Test("Salt and nonce are new for every encryption") func saltAndNonceAreNewEachTime() throws {
        #expect(try protected() != protected())
    }

    @Test(
        "Another passphrase does not open a keyring",
        arguments: [
            "correct horsf", "correct hors", "correct horse ", "Correct horse", "correct horse\n\n",
        ])
    func anotherPassphraseDoesNotOpen(other: String) throws {
        let bytes = try protected()
        #expect(errorCode { try open(bytes, Passphrase(Array(other.utf8))) } == .wrongPassphrase)
    }

    @Test("An empty passphrase is rejected", arguments: ["", "\n", "\r\n"])
    func anEmptyPassphraseIsNone(text: String) {
        #expect(errorCode { try Passphrase(Array(text.utf8)) } == .passphraseRequired)
    }

    @Test("Every flipped bit and every truncation is an error")
    func everyFlippedBitAndEveryTruncationIsAnError() throws {
        let bytes = try protected()
        var codes: Set<PushCryptError.Code> = []
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << bit
                // An excessive cost is rejected before the derivation.
                let code = errorCode { try open(other, passphrase) }
                #expect(code != nil, "bit \(bit) of byte \(index)")
                codes.insert(code ?? .malformedKeyring)
            }
        }
        #expect(codes == [.malformedKeyring, .malformedJWK, .wrongPassphrase])
        // Without the line break at the end, the file is complete.
        for length in 0..<(bytes.count - 1) {
            #expect(errorCode { try open(Array(bytes.prefix(length)), passphrase) } != nil)
        }
    }

    @Test(
        "Unknown or excessive parameters are rejected",
        arguments: [
            ("argon2id", "scrypt"), ("xchacha20-poly1305", "aes"),
            (#""operations":1"#, #""operations":11"#),
            (#""memory":8192"#, #""memory":99999999999"#), (#""memory":8192"#, #""memory":1"#),
            (#""salt":""#, #""salt":"AA"#),
        ])
    func whatIsUnknownOrTooMuchIsMalformed(old: String, new: String) throws {
        let other = String(decoding: try protected(), as: UTF8.self).replacing(old, with: new)
        #expect(errorCode { try open(Array(other.utf8), passphrase) } == .malformedKeyring)
    }
}

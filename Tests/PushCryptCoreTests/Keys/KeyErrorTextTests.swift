import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

/// Errors may be logged, so no error contains a part of a key.
@Suite struct KeyErrorTextTests {
    /// Expects that the error contains no eight characters of the key.
    private func expectNothing(of jwk: JWKText, in error: PushCryptError?) {
        guard let error else { return }
        for (name, value) in jwk.members where ["x", "d", "secret"].contains(name) {
            let text = Array(value.utf8)
            for start in 0..<max(text.count - 8, 0) {
                let piece = String(decoding: text[start..<(start + 8)], as: UTF8.self)
                if error.description.contains(piece) { Issue.record("\(error)") }
            }
        }
    }

    @Test("No error contains a part of the key") func noErrorShowsTheKey() {
        var refused = 0
        let values = [
            "\"x\"", "null", "\"AAAA\"", nil, "\"\\ud800\"", "tru",
            "\"\(String(repeating: "Q", count: 43))\"",
        ]
        for base in [JWKText.device(), .sender()] {
            for (name, _) in base.members {
                for value in values {
                    let jwk = base.with(name, value)
                    let bytes = Array(jwk.text.utf8)
                    for error in [
                        thrownError { try RecipientPrivateKey(jwk: bytes) },
                        thrownError { try SigningKey(jwk: bytes) },
                        thrownError { try RecipientPublicKey(parsing: jwk.text) },
                        thrownError { try VerificationKey(parsing: "{\"keys\":[\(jwk.text)]}") },
                        thrownError {
                            try Keyring<SigningKey>(
                                parsing: Array("{\"keys\":[\(jwk.text)]}".utf8).span)
                        },
                    ] {
                        refused += error == nil ? 0 : 1
                        expectNothing(of: base, in: error)
                    }
                }
            }
        }
        #expect(refused > 250)
    }

    @Test("No error of a truncated key contains a part of the key") func noTruncationOfAKeyShowsIt()
    {
        let jwk = JWKText.device()
        let bytes = Array(jwk.text.utf8)
        for length in 0..<bytes.count {
            let error = thrownError { try RecipientPrivateKey(jwk: Array(bytes[..<length])) }
            #expect(error?.code == .malformedJWK)
            expectNothing(of: jwk, in: error)
        }
    }
}

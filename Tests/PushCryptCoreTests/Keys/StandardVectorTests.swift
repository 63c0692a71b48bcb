import PushCryptCore
import TestSupport
import Testing

/// The keys of RFC 8037, appendix A.
@Suite struct StandardVectorTests {
    let d = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
    let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    let thumbprint = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"

    @Test("The private key of RFC 8037 is parsed") func readsTheEd25519PrivateKey() throws {
        let jwk = #"{"kty":"OKP","crv":"Ed25519","d":"\#(d)","x":"\#(x)"}"#
        let key = try SigningKey(jwk: Array(jwk.utf8))
        #expect(Base64URL.encode(key.publicKey.rawRepresentation) == x)
        #expect(key.publicKey.kid == thumbprint)
    }

    @Test("The public key of RFC 8037 is parsed") func readsTheEd25519PublicKey() throws {
        let key = try VerificationKey(parsing: #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}"#)
        #expect(key.kid == thumbprint)
        #expect(key.keyID.bytes == Array(hex("90facafea9b15566")))
        #expect(
            key.jwk
                == #"{"kty":"OKP","crv":"Ed25519","use":"sig","kid":"\#(thumbprint)","x":"\#(x)"}"#)
    }

    @Test("The signature of RFC 8037 is reproduced") func signsTheJWSOfTheAppendix() throws {
        let jwk = #"{"kty":"OKP","crv":"Ed25519","d":"\#(d)","x":"\#(x)"}"#
        let key = try SigningKey(jwk: Array(jwk.utf8))
        let input = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        var buffer = input + [UInt8](repeating: 0, count: 64)
        try key.sign(0..<input.count, of: &buffer, into: input.count)
        #expect(
            Base64URL.encode(Array(buffer.suffix(64)))
                == "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        )
    }

    @Test(
        "The X25519 keys of RFC 8037 are parsed",
        arguments: [
            (
                #"{"kty":"OKP","crv":"X25519","kid":"Bob","x":"3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08"}"#,
                "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
            ),
            (
                #"{"kty":"OKP","crv":"X25519","x":"hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo"}"#,
                "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
            ),
        ])
    func readsTheX25519PublicKeys(_ jwk: String, _ raw: String) throws {
        let key = try RecipientPublicKey(parsing: jwk)
        #expect(key.rawRepresentation == hex(raw))
        #expect(!key.jwk.contains("Bob"), "A received kid is ignored.")
        #expect(try RecipientPublicKey(parsing: key.jwk) == key)
    }
}

import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct JWKTests {
    private func recipient(_ jwk: JWKText) -> PushCryptError.Code? {
        errorCode { try RecipientPrivateKey(jwk: Array(jwk.text.utf8)) }
    }

    private func signing(_ jwk: JWKText) -> PushCryptError.Code? {
        errorCode { try SigningKey(jwk: Array(jwk.text.utf8)) }
    }

    @Test("Private keys are parsed") func readsPrivateKeys() throws {
        for device in TestKeys.Device.allCases {
            let key = try RecipientPrivateKey(jwk: Array(JWKText.device(device).text.utf8))
            #expect(key.publicKey == (try TestKeys.device(device).publicKey))
            #expect(key.secret.copy == Array(device.rawValue.utf8))
        }
        for sender in TestKeys.Sender.allCases {
            let key = try SigningKey(jwk: Array(JWKText.sender(sender).text.utf8))
            #expect(key.publicKey == (try TestKeys.sender(sender).publicKey))
            #expect(key.secret.copy == Array(sender.rawValue.utf8))
        }
    }

    @Test("An optional member may be missing", arguments: ["use", "kid"])
    func doesNotNeed(_ member: String) {
        #expect(recipient(.device().with(member, nil)) == nil)
        #expect(signing(.sender().with(member, nil)) == nil)
    }

    @Test(
        "A key id and unknown members are ignored",
        arguments: ["\"wrong\"", "\"\"", "1", "null", "{\"a\":[]}"])
    func doesNotBelieveAKeyIDOrMindWhatItDoesNotKnow(_ value: String) {
        #expect(recipient(.device().with("kid", value)) == nil)
        #expect(recipient(.device().with("alg", value).with("key_ops", value)) == nil)
    }

    @Test(
        "A wrong or missing member is rejected",
        arguments: [
            ("kty", nil, .malformedJWK), ("kty", "1", .malformedJWK),
            ("kty", "null", .malformedJWK),
            ("kty", "[\"OKP\"]", .malformedJWK),
            ("kty", "\"EC\"", .wrongKeyType), ("kty", "\"okp\"", .wrongKeyType),
            ("kty", "\"\"", .wrongKeyType),
            ("crv", nil, .malformedJWK), ("crv", "25519", .malformedJWK),
            ("crv", "\"X448\"", .wrongKeyType),
            ("crv", "\"x25519\"", .wrongKeyType),
            ("crv", "\"P-256\"", .wrongKeyType), ("use", "\"sig\"", .wrongKeyType),
            ("use", "\"\"", .wrongKeyType),
            ("use", "null", .malformedJWK),
            ("use", "[]", .malformedJWK), ("x", nil, .malformedJWK), ("x", "null", .malformedJWK),
            ("x", "\"\"", .malformedJWK), ("x", "\"AAAA\"", .malformedJWK),
            ("d", nil, .wrongKeyType), ("d", "null", .malformedJWK), ("d", "1", .malformedJWK),
            ("d", "\"\"", .malformedJWK), ("d", "\"AAAA\"", .malformedJWK),
        ] as [(String, String?, PushCryptError.Code)])
    func refusesAWrongMember(_ name: String, _ value: String?, _ code: PushCryptError.Code) {
        #expect(recipient(.device().with(name, value)) == code)
        if name != "use" || value != "\"sig\"" {
            #expect(signing(.sender().with(name, value)) == code)
        }
    }

    @Test("Other encodings of a key are rejected", arguments: ["x", "d"])
    func refusesEveryOtherSpellingOfTheKey(_ name: String) throws {
        let good = try #require(JWKText.device().members.first { $0.name == name }?.value)
            .dropFirst().dropLast()
        let last = try #require(good.last)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let next = alphabet[try #require(alphabet.firstIndex(of: last)) + 1]
        let spellings = [
            "\(good)=", "\(good) ", " \(good)", "\(good)A", "\(good)AA", "\(good.dropLast())",
            "\(good.dropLast())\(next)", "\(good.dropLast())+",
            "\(good.dropLast())/", #"\#(good.dropLast())\u0041"#, #"\#(good.dropLast())\/"#,
            #"\#(good.dropLast(7))\u0041A"#,
        ]
        for text in spellings {
            #expect(recipient(.device().with(name, "\"\(text)\"")) == .malformedJWK, "\(text)")
        }
    }

    @Test("A character that is not ASCII is rejected in a private key")
    func aCharacterThatIsNotASCIIIsNoPartOfAPrivateKey() throws {
        // Its base64url begins with two underscores, the value 63, as libsodium decodes the two
        // bytes of "é".
        let secret = [0xFF, 0xF0] + [UInt8](1...30)
        let d = foundationBase64URL(secret)
        let jwk = JWKText.device().with(
            "x", "\"\(foundationBase64URL(RawSodium.publicKey(of: secret)))\"")
        #expect(d.hasPrefix("__"))
        #expect(recipient(jwk.with("d", "\"\(d)\"")) == nil)
        #expect(recipient(jwk.with("d", "\"é\(d.dropFirst(2))\"")) == .malformedJWK)
    }

    @Test("A letter that is canonically equivalent is rejected")
    func aLetterThatLooksAlikeIsNotTaken() {
        // Swift's strings treat U+212A KELVIN SIGN as equal to "K".
        #expect(recipient(JWKText.device().with("kty", "\"O\u{212A}P\"")) == .malformedJWK)
    }

    @Test("Keys of another type are rejected") func refusesKeysOfTheOtherKind() {
        #expect(recipient(.sender()) == .wrongKeyType)
        #expect(signing(.device()) == .wrongKeyType)
    }

    @Test("Halves of different keys are rejected") func refusesAPrivateHalfThatBelongsToAnotherKey()
    {
        for (own, other) in [
            (JWKText.device(), JWKText.device(.bob)), (.sender(), .sender(.mallory)),
        ] {
            let mixed = own.with("d", other.members.last?.value)
            let code = own.members[1].value == "\"X25519\"" ? recipient(mixed) : signing(mixed)
            #expect(code == .keyPairMismatch)
        }
    }

    @Test(
        "Text that is not a JWK is rejected",
        arguments: [
            "", " ", "{", "[]", "null", #"{"kty":"OKP",}"#, #"{"kty":"OKP","kty":"OKP"}"#,
            "\u{FEFF}{}", "{}",
            #"{"a":1}"#,
        ])
    func refusesWhatIsNoJWK(_ text: String) {
        #expect(errorCode { try RecipientPrivateKey(jwk: Array(text.utf8)) } == .malformedJWK)
    }

    @Test("Escapes in names and values are parsed") func readsAJWKWithEscapesInItsNames() throws {
        let text = JWKText.device().text.replacing("\"crv\"", with: #""\u0063rv""#).replacing(
            "\"OKP\"", with: #""\u004fKP""#)
        #expect(
            try RecipientPrivateKey(jwk: Array(text.utf8)).publicKey == TestKeys.device().publicKey)
    }
}

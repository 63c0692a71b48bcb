import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct PublicKeyParsingTests {
    let alice: RecipientPublicKey

    init() throws {
        alice = try TestKeys.device().publicKey
    }

    private func parse(_ text: String) throws -> RecipientPublicKey {
        try RecipientPublicKey(parsing: text)
    }

    @Test("Every form of a key is parsed") func readsEveryFormOfAKey() throws {
        let jwk = JWKText.device()
        let bob = JWKText.device(.bob)
        let forms = [
            alice.jwk, jwk.text, jwk.with("d", nil).text,
            foundationBase64URL(alice.rawRepresentation),
            "{\"keys\":[\(alice.jwk)]}",
            RingText(generation: nil, keys: [jwk]).text,
            RingText(keys: [
                RingText.entry(bob, "retired", retired: "1"), RingText.entry(jwk, "primary"),
            ]).text,
            RingText(generation: nil, keys: [bob, RingText.entry(jwk.with("d", nil), "primary")])
                .text,
        ]
        for form in forms {
            #expect(try parse(form) == alice)
            #expect(try parse("\n \t\(form)\r\n") == alice)
        }
    }

    @Test(
        "Text that is not a key is rejected",
        arguments: [
            "", " ", "{}", "[]", "key", "43", "{\"keys\":[]}", "{\"keys\":{}}", "{\"keys\":null}",
            "{\"keys\":[1]}",
            "{\"keys\":[{}]}", "{\"keys\":[[]]}",
        ])
    func refusesWhatIsNoKey(_ text: String) {
        #expect(errorCode { try parse(text) } == .malformedJWK)
    }

    @Test("Other encodings of a raw key are rejected") func refusesOtherSpellingsOfARawKey() {
        let raw = foundationBase64URL(alice.rawRepresentation)
        let last = raw.dropLast()
        for text in [
            raw + "=", raw + "A", String(last), last + "+", last + "é",
            "\(raw.prefix(20)) \(raw.dropFirst(20))",
            raw + raw, last + "_",
        ] {
            #expect(errorCode { try parse(text) } == .malformedJWK, "\(text)")
        }
    }

    @Test("A set without one primary key is rejected") func refusesASetThatDoesNotSayWhichKey() {
        let alice = JWKText.device(), bob = JWKText.device(.bob)
        let unmarked = RingText(generation: nil, keys: [alice, bob]).text
        #expect(errorCode { try parse(unmarked) } == .malformedJWK)
        let retired = RingText(keys: [
            RingText.entry(alice, "retired"), RingText.entry(bob, "pending"),
        ]).text
        #expect(errorCode { try parse(retired) } == .malformedJWK)
        let both = RingText(keys: [
            RingText.entry(alice, "primary"), RingText.entry(bob, "primary"),
        ]).text
        #expect(errorCode { try parse(both) } == .multiplePrimaryKeys)
        let odd = RingText(keys: [alice.with("state", "1"), bob]).text
        #expect(errorCode { try parse(odd) } == .malformedJWK)
    }

    @Test("Keys of another type are rejected") func refusesKeysOfTheOtherKind() throws {
        let sender = try TestKeys.sender().publicKey
        #expect(errorCode { try parse(sender.jwk) } == .wrongKeyType)
        #expect(errorCode { try VerificationKey(parsing: alice.jwk) } == .wrongKeyType)
        #expect(errorCode { try parse("{\"keys\":[\(sender.jwk)]}") } == .wrongKeyType)
        let mixed = RingText(keys: [
            RingText.entry(.device(), "primary"), .sender().with("use", "\"enc\""),
        ]).text
        #expect(errorCode { try parse(mixed) } == .wrongKeyType)
    }

    @Test("A written key parses to the same key") func goesBothWays() throws {
        for sender in TestKeys.Sender.allCases {
            let key = try TestKeys.sender(sender).publicKey
            #expect(try VerificationKey(parsing: key.jwk) == key)
            #expect(key.description == key.jwk)
        }
        #expect(try parse(alice.jwk) == alice)
        #expect(alice != (try TestKeys.device(.bob).publicKey))
    }
}

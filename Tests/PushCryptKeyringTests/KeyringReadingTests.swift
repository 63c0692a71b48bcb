import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@Suite struct KeyringReadingTests {
    private typealias Ring = Keyring<RecipientPrivateKey>

    private func code(_ text: String) -> PushCryptError.Code? {
        errorCode { try Ring(parsing: Array(text.utf8).span) }
    }

    private func code(_ keys: JWKText...) -> PushCryptError.Code? {
        code(RingText(keys: keys).text)
    }

    let alice = RingText.entry(.device(.alice), "primary")
    let bob = RingText.entry(.device(.bob), "retired", retired: "1700000100")

    @Test("Keys in every state are parsed") func readsKeysInEveryState() throws {
        let third = try RecipientPrivateKey()
        var own = JWKText.device(.bob)
        own = own.with("x", "\"\(foundationBase64URL(third.publicKey.rawRepresentation))\"")
            .with("d", "\"\(foundationBase64URL(third.secret.copy))\"").with(
                "kid", "\"\(third.publicKey.kid)\"")
        let text = RingText(keys: [bob, RingText.entry(own, "pending"), alice]).text
        let ring = try Ring(parsing: Array(text.utf8).span)
        #expect(ring.generation == 7)
        #expect(ring.primary.key.publicKey == (try TestKeys.device(.alice).publicKey))
        #expect(ring.primary.created == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(ring.pending.map(\.key.publicKey) == [third.publicKey])
        #expect(ring.retired.map(\.key.publicKey) == [try TestKeys.device(.bob).publicKey])
        #expect(ring.retired[0].retired == Date(timeIntervalSince1970: 1_700_000_100))
    }

    @Test("A keyring must have exactly one primary key") func needsExactlyOnePrimary() {
        #expect(code(alice, bob) == nil)
        #expect(code(bob) == .noPrimaryKey)
        #expect(code(RingText.entry(.device(), "pending"), bob) == .noPrimaryKey)
        #expect(code(alice, RingText.entry(.device(.bob), "primary")) == .multiplePrimaryKeys)
    }

    @Test("A keyring must not have a key twice") func hasEveryKeyOnce() {
        #expect(code(alice, alice.with("state", "\"pending\"")) == .duplicateKey)
        #expect(
            code(alice, alice.with("state", "\"retired\"").with("retired", "1")) == .duplicateKey)
        #expect(code(alice, bob, bob) == .duplicateKey)
    }

    @Test(
        "An unknown state is rejected",
        arguments: ["\"destroyed\"", "\"Primary\"", "\"\"", "\"primary \""])
    func refusesAnUnknownState(_ state: String) {
        #expect(code(alice.with("state", state)) == .unknownKeyState)
        #expect(code(alice, bob.with("state", state)) == .unknownKeyState)
    }

    @Test(
        "A wrong or missing member of a key is rejected",
        arguments: [
            ("state", nil, .malformedJWK), ("state", "1", .malformedJWK),
            ("kid", nil, .malformedJWK),
            ("kid", "null", .malformedJWK),
            ("kid", "\"\"", .thumbprintMismatch), ("kid", "\"Bob\"", .thumbprintMismatch),
            ("created", nil, .malformedKeyring),
            ("created", "null", .malformedKeyring),
            ("created", "\"1700000000\"", .malformedKeyring),
            ("created", "-1", .malformedKeyring),
            ("created", "1.5", .malformedKeyring), ("created", "1e9", .malformedKeyring),
            ("created", "18446744073709551616", .malformedKeyring),
            ("d", nil, .wrongKeyType), ("d", "\"\"", .malformedJWK), ("x", nil, .malformedJWK),
            ("kty", "\"EC\"", .wrongKeyType),
            ("use", "\"sig\"", .wrongKeyType),
        ] as [(String, String?, PushCryptError.Code)])
    func refusesAWrongMember(_ name: String, _ value: String?, _ expected: PushCryptError.Code) {
        #expect(code(alice.with(name, value)) == expected)
        #expect(code(alice, bob.with(name, value)) == expected)
    }

    @Test(
        "A retired key without a valid date is rejected",
        arguments: [nil, "null", "\"1\"", "-1", "1.0"] as [String?])
    func aRetiredKeyNeedsItsDate(_ value: String?) {
        #expect(code(alice, bob.with("retired", value)) == .malformedKeyring)
    }

    @Test(
        "A wrong or missing generation is rejected",
        arguments: [nil, "null", "\"7\"", "-1", "7.0", "7e0", "18446744073709551616", "true", "[]"]
            as [String?])
    func refusesAWrongGeneration(_ value: String?) {
        #expect(code(RingText(generation: value, keys: [alice]).text) == .malformedKeyring)
    }

    @Test(
        "Integers above 2^53 − 1 are rejected",
        arguments: [
            "9007199254740991", "9007199254740992", "18446744073709551615", "18446744073709551616",
        ])
    func numbersEndWhereReadersDisagree(_ number: String) {
        let expected: PushCryptError.Code? = number == "9007199254740991" ? nil : .malformedKeyring
        #expect(code(RingText(generation: number, keys: [alice]).text) == expected)
        #expect(code(alice.with("created", number)) == expected)
        #expect(code(alice, bob.with("retired", number)) == expected)
    }

    @Test("A generation of minus zero is rejected") func minusZeroIsNoGeneration() {
        #expect(code(RingText(generation: "-0", keys: [alice]).text) == .malformedKeyring)
    }

    @Test("Halves of different keys are rejected") func refusesSomebodyElsesHalf() {
        let d = JWKText.device(.bob).members.last?.value
        #expect(code(alice.with("d", d)) == .keyPairMismatch)
        #expect(
            code(alice.with("kid", JWKText.device(.bob).members[3].value)) == .thumbprintMismatch)
    }

    @Test("Keys of another type are rejected") func refusesKeysOfTheOtherKind() {
        #expect(code(RingText.entry(.sender(), "primary")) == .wrongKeyType)
        #expect(code(alice, RingText.entry(.sender(), "retired", retired: "1")) == .wrongKeyType)
        let text = RingText(keys: [alice]).text
        #expect(
            errorCode { try Keyring<SigningKey>(parsing: Array(text.utf8).span) } == .wrongKeyType)
    }

    @Test(
        "JSON that is not a JWK Set is rejected",
        arguments: [
            "", "[]", "{}", "{\"keys\":[]}", "{\"generation\":1,\"keys\":[]}",
            "{\"generation\":1,\"keys\":{}}",
            "{\"generation\":1,\"keys\":[1]}", "\u{FEFF}{}",
        ])
    func refusesWhatIsNoSet(_ text: String) {
        #expect(code(text) == .malformedJWK)
    }

    @Test("JSON that is not strict is rejected") func refusesJSONThatIsNotStrict() {
        let good = RingText(keys: [alice]).text
        #expect(code(good) == nil)
        #expect(code(good.dropLast() + ",}") == .malformedJWK)
        #expect(code(good.dropLast() + ",\"generation\":7}") == .malformedJWK)
        #expect(code(good + "x") == .malformedJWK)
        #expect(
            code(RingText(keys: [alice.with("\\u0064", "1")]).text) == .malformedJWK, "d, twice.")
    }
}

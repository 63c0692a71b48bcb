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

    @Test("The error of a key in another form names the form") func namesOtherForms() {
        func utf16(_ text: String, _ mark: [UInt8], bigEndian: Bool) -> [UInt8] {
            mark
                + text.utf16.flatMap { unit -> [UInt8] in
                    let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
                    return bigEndian ? bytes.reversed() : bytes
                }
        }
        let hex = alice.rawRepresentation.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        for (text, form) in [
            (utf16(alice.jwk, [0xFF, 0xFE], bigEndian: false), "in UTF-16"),
            (utf16(alice.jwk, [0xFE, 0xFF], bigEndian: true), "in UTF-16"),
            (
                utf16(
                    foundationBase64URL(alice.rawRepresentation), [0xFF, 0xFE], bigEndian: false),
                "in UTF-16"
            ),
            (Array("-----BEGIN PUBLIC KEY-----\nMCow".utf8), "PEM"),
            (Array("ssh-ed25519 AAAA".utf8), "a key of OpenSSH"),
            (Array(hex.joined().utf8), "hexadecimal"),
            (Array(hex.joined().uppercased().utf8), "hexadecimal"),
            (
                Array((foundationBase64URL(alice.rawRepresentation) + "=").utf8),
                "base64 with padding"
            ),
            (Array(" \n".utf8), "not a key"), ([], "empty"), ([0], "not a key"),
            ([0xFF], "not a key"),
        ] {
            let error = thrownError { try RecipientPublicKey(parsing: text) }
            #expect(error?.code == .malformedJWK)
            #expect(
                error?.reason.hasPrefix("The text is \(form)") == true, "\(error?.reason ?? "")")
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

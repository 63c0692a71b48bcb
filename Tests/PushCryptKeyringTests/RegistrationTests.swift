import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@Suite struct RegistrationTests {
    /// The codes for invalid registrations.
    static let codes: Set<PushCryptError.Code> = [
        .malformedRegistration, .malformedJWK, .wrongKeyType, .invalidKey,
    ]

    let created = Date(timeIntervalSince1970: 1_767_225_600)

    private func key() throws -> RecipientPublicKey { try TestKeys.device().publicKey }

    private func registration(generation: UInt64 = 3) throws -> Registration {
        Registration(key: try key(), generation: generation, created: created, lifetime: 604_800)
    }

    private func code(_ text: String) -> PushCryptError.Code? {
        errorCode { try Registration(parsing: text.utf8) }
    }

    @Test("The alignment is safe for asynchronous functions") func theAlignmentIsSafe() {
        #expect(MemoryLayout<Registration>.alignment <= 16)
    }

    @Test("A registration is written in its documented format") func isWrittenAsTheDesignSays()
        throws
    {
        let jwk = try key().jwk
        #expect(
            try registration().json
                == #"{"created":1767225600,"generation":3,"key":\#(jwk),"lifetime":604800}"#)
        #expect(!jwk.contains(#""d""#), "A registration contains no secret.")
    }

    @Test("A written registration parses to the same registration") func isReadBackAsItWas() throws
    {
        for generation in [1, 2, (1 << 53) - 1] as [UInt64] {
            let sent = try registration(generation: generation)
            #expect(try Registration(parsing: Array(sent.json.utf8)) == sent)
            #expect(try Registration(parsing: Data(sent.json.utf8)) == sent)
            #expect(try Registration(parsing: sent.json).json == sent.json, "A string is accepted.")
        }
    }

    @Test("A date has whole seconds and is not before 1970")
    func aTimeIsToTheSecondAndNotBefore1970() throws {
        let half = Registration(key: try key(), generation: 1, created: created + 0.75)
        #expect(try Registration(parsing: half.json.utf8).created == created)
        let before = Registration(
            key: try key(), generation: 1, created: Date(timeIntervalSince1970: -5))
        #expect(
            try Registration(parsing: before.json.utf8).created == Date(timeIntervalSince1970: 0))
    }

    @Test("A private key is rejected and not part of the error")
    func aPrivateKeyIsRefusedAndNotRepeated() throws {
        let jwk = JWKText.device(.alice).text
        let secret = try #require(
            JWKText.device(.alice).text.components(separatedBy: #""d":""#).last?.prefix(43))
        let text = #"{"created":1,"generation":1,"key":\#(jwk),"lifetime":604800}"#
        let error = try #require(thrownError { try Registration(parsing: text.utf8) })
        #expect(error.code == .malformedRegistration)
        #expect(!error.description.contains(secret))
    }

    @Test("A key of another type is rejected") func aKeyOfAnotherKindIsRefused() throws {
        let text =
            #"{"created":1,"generation":1,"key":\#(try TestKeys.sender().publicKey.jwk),"lifetime":1}"#
        #expect(code(text) == .wrongKeyType)
    }

    @Test("JSON that is not a registration is rejected") func whatIsNoRegistrationIsRefused() throws
    {
        let jwk = try key().jwk
        for text in [
            "", " ", "null", "[]", "1", "{}", "{", jwk,
            #"{"created":1,"generation":1,"lifetime":1}"#,
            #"{"created":1,"generation":1,"key":null,"lifetime":1}"#,
            #"{"created":1,"generation":1,"key":"\#(try key().keyID)","lifetime":1}"#,
            #"{"created":1,"generation":1,"key":[\#(jwk)],"lifetime":1}"#,
            #"{"generation":1,"key":\#(jwk),"lifetime":1}"#,
            #"{"created":1,"key":\#(jwk),"lifetime":1}"#,
            #"{"created":1,"generation":1,"key":\#(jwk),"lifetime":1}x"#,
            #"{"created":1,"generation":1,"generation":2,"key":\#(jwk),"lifetime":1}"#,
        ] {
            #expect(code(text) == .malformedRegistration, "\(text)")
        }
        #expect(code(#"{"created":1,"generation":1,"key":{},"lifetime":1}"#) == .malformedJWK)
    }

    @Test(
        "A value that is not an integer up to 2^53 − 1 is rejected",
        arguments: [
            "-1", "-0", "1.0", "1e3", "1.5", "\"1\"", "true", "null", "[1]", "9007199254740992",
            "18446744073709551616", "99999999999999999999999999",
        ])
    func numbersAreWholeAndNotTooLarge(number: String) throws {
        let jwk = try key().jwk
        #expect(
            code(#"{"created":1,"generation":\#(number),"key":\#(jwk),"lifetime":604800}"#)
                == .malformedRegistration)
        #expect(
            code(#"{"created":\#(number),"generation":1,"key":\#(jwk),"lifetime":604800}"#)
                == .malformedRegistration)
        #expect(
            code(#"{"created":1,"generation":1,"key":\#(jwk),"lifetime":\#(number)}"#)
                == .malformedRegistration)
    }

    @Test("A generation of zero is rejected") func aGenerationIsAtLeastOne() throws {
        let jwk = try key().jwk
        #expect(
            code(#"{"created":0,"generation":0,"key":\#(jwk),"lifetime":604800}"#)
                == .malformedRegistration)
        #expect(code(#"{"created":0,"generation":1,"key":\#(jwk),"lifetime":604800}"#) == nil)
    }

    @Test("A lifetime is required, from 1 second to 30 days") func aLifetimeIsRequired() throws {
        let jwk = try key().jwk
        for (lifetime, expected) in [
            ("1", nil), ("2592000", nil), ("0", .malformedRegistration),
            ("2592001", .malformedRegistration),
        ]
            as [(String, PushCryptError.Code?)]
        {
            #expect(
                code(#"{"created":0,"generation":1,"key":\#(jwk),"lifetime":\#(lifetime)}"#)
                    == expected)
        }
        #expect(code(#"{"created":0,"generation":1,"key":\#(jwk)}"#) == .malformedRegistration)
    }

    @Test("A truncated registration is rejected") func noTruncationIsRead() throws {
        let bytes = Array(try registration().json.utf8)
        for length in bytes.indices {
            #expect(
                errorCode { try Registration(parsing: Array(bytes[..<length])) }
                    == .malformedRegistration)
        }
    }

    @Test("A flipped bit gives an error or another registration")
    func aFlippedBitGivesATypedErrorOrAnotherRegistration() throws {
        let sent = try registration()
        let bytes = Array(sent.json.utf8)
        var refused = 0
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                guard let code = errorCode({ try Registration(parsing: flipped) }) else { continue }
                refused += 1
                #expect(Self.codes.contains(code), "\(code) at \(index)")
            }
        }
        #expect(refused > bytes.count * 4)
    }

    @Test(
        "Extreme clocks do not trap",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, -5])
    func noClockTrapsWhoeverWritesARegistration(seconds: Double) throws {
        let registration = Registration(
            key: try TestKeys.device().publicKey, generation: 1,
            created: Date(timeIntervalSince1970: seconds))
        let read = try Registration(parsing: registration.json.utf8)
        #expect(read.created.timeIntervalSince1970 >= 0)
    }
}

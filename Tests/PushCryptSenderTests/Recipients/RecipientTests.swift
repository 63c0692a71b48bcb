import Foundation
import PushCryptTesting
import Testing

/// Tests of the registrations that a server accepts.
@Suite struct RecipientTests {
    static let token = String(repeating: "0a", count: 32)
    static let date = Date(timeIntervalSince1970: 1_767_225_600)

    private func registration(
        _ device: TestKeys.Device = .alice, generation: UInt64,
        created: TimeInterval = 1_767_225_600,
        lifetime: Int = 604_800
    ) throws -> Registration {
        let jwk = try TestKeys.device(device).publicKey.jwk
        return try Registration(
            parsing:
                #"{"created":\#(Int(created)),"generation":\#(generation),"key":\#(jwk),"lifetime":\#(lifetime)}"#
        )
    }

    private func update(
        _ known: Recipient?, _ registration: Registration, token: String = token
    ) throws -> Recipient {
        try Recipient(
            registration: registration, deviceToken: token, registered: Self.date, replacing: known)
    }

    /// Updates the stored recipient as a server does.
    private func parsed(_ json: some UTF8Text, replacing known: Recipient?) throws -> Recipient {
        try Recipient(
            registration: Registration(parsing: json.bytesForPushCrypt), deviceToken: Self.token,
            replacing: known)
    }

    /// Returns the code of the error that a step throws.
    private func code(_ body: () throws -> Recipient) -> PushCryptError.Code? {
        if case .failure(let error as PushCryptError) = Result(catching: body) {
            error.code
        } else {
            nil
        }
    }

    @Test("The first registration is accepted") func theFirstRegistrationIsAccepted() throws {
        let sent = try registration(generation: 3)
        let recipient = try update(nil, sent)
        #expect(recipient.registration == sent)
        #expect(recipient.deviceToken == Self.token)
        #expect(recipient.registration.generation == 3)
        #expect(recipient.key == (try TestKeys.device().publicKey))
    }

    @Test("A newer registration replaces the stored one")
    func aNewerRegistrationReplacesTheStoredOne() throws {
        let known = try update(nil, registration(generation: 3))
        let other = try update(known, registration(.bob, generation: 4))
        #expect(
            other.key == (try TestKeys.device(.bob).publicKey) && other.registration.generation == 4
        )
        let same = try update(known, registration(generation: 9))
        #expect(same.key == known.key && same.registration.generation == 9)
    }

    @Test("The same registration is accepted again") func theSameRegistrationIsAcceptedAgain()
        throws
    {
        let known = try update(nil, registration(generation: 3))
        #expect(try update(known, registration(generation: 3)) == known)
    }

    @Test("The same registration at a later time has the later date")
    func aLaterRegistrationHasItsDate() throws {
        let known = try update(nil, registration(generation: 3))
        let again = try Recipient(
            registration: registration(generation: 3), deviceToken: Self.token,
            registered: Self.date + 60,
            replacing: known)
        #expect(again.registered == Self.date + 60)
        #expect(again != known)
    }

    @Test("An older registration is rejected") func anOlderRegistrationIsRejected() throws {
        let known = try update(nil, registration(generation: 3))
        for generation in 1...2 as ClosedRange<UInt64> {
            #expect(
                code { try update(known, registration(generation: generation)) } == .staleGeneration
            )
            #expect(
                code { try update(known, registration(.bob, generation: generation)) }
                    == .staleGeneration)
        }
    }

    @Test("Another key under the same generation is rejected")
    func anotherKeyUnderTheSameGenerationIsRejected() throws {
        let known = try update(nil, registration(generation: 3))
        #expect(code { try update(known, registration(.bob, generation: 3)) } == .staleGeneration)
    }

    @Test("Another lifetime under the same generation is rejected") func anotherLifetimeIsRejected()
        throws
    {
        let known = try update(nil, registration(generation: 3))
        #expect(known.lifetime == 604_800)
        #expect(
            code { try update(known, registration(generation: 3, lifetime: 86_400)) }
                == .staleGeneration)
        #expect(try update(known, registration(generation: 4, lifetime: 86_400)).lifetime == 86_400)
    }

    @Test("A first generation is at most 2^52") func aFirstGenerationIsLimited() throws {
        #expect(
            try update(nil, registration(generation: 1 << 52)).registration.generation == 1 << 52)
        #expect(code { try update(nil, registration(generation: 1 << 52 + 1)) } == .staleGeneration)
    }

    @Test("A generation grows by at most 2^32") func aGenerationGrowsByALimitedAmount() throws {
        let known = try update(nil, registration(generation: 3))
        #expect(
            try update(known, registration(.bob, generation: 3 + 1 << 32)).registration.generation
                == 3 + 1 << 32)
        #expect(
            code { try update(known, registration(.bob, generation: 4 + 1 << 32)) }
                == .staleGeneration)
        #expect(
            code { try update(known, registration(.bob, generation: 1 << 53 - 1)) }
                == .staleGeneration)
    }

    @Test("A registration for another account is rejected")
    func aRegistrationForAnotherAccountIsRejected() throws {
        let first = try registration(generation: 3)
        let known = try Recipient(registration: first, deviceToken: Self.token, account: "anna")
        #expect(known.account == "anna")
        for account in ["", "Anna", "bob"] {
            #expect(
                code {
                    try Recipient(
                        registration: registration(generation: 4), deviceToken: Self.token,
                        account: account,
                        replacing: known)
                } == .malformedRegistration)
        }
        let again = try Recipient(
            registration: first, deviceToken: Self.token, account: "anna", replacing: known)
        #expect(again.registration == known.registration)
    }

    @Test("A recipient has the date of its last registration")
    func aRecipientHasTheDateOfItsLastRegistration() throws {
        let registration = try registration(generation: 3)
        let first = try Recipient(
            registration: registration, deviceToken: Self.token,
            registered: Date(timeIntervalSince1970: 1_767_225_600))
        #expect(first.registered == Date(timeIntervalSince1970: 1_767_225_600))
        let again = try Recipient(
            registration: registration, deviceToken: Self.token,
            registered: Date(timeIntervalSince1970: 1_767_312_000.5), replacing: first)
        #expect(again.registered == Date(timeIntervalSince1970: 1_767_312_000.5))
        let before = Date()
        let now = try Recipient(
            registration: registration, deviceToken: Self.token, replacing: again
        ).registered
        // The date is rounded to a millisecond.
        #expect(now > before.addingTimeInterval(-0.001) && now < Date().addingTimeInterval(0.001))
    }

    // MARK: One column of a database

    @Test("A recipient is encoded in its documented form")
    func aRecipientIsEncodedInItsDocumentedForm() throws {
        let recipient = try Recipient(
            registration: registration(generation: 3), deviceToken: Self.token,
            account: "anna \u{1F469}",
            registered: Date(timeIntervalSince1970: 1_767_225_601.2344))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(recipient), as: UTF8.self)
        let x = Base64URLText(try TestKeys.device().publicKey)
        #expect(
            text
                == #"{"account":"anna \#u{1F469}","deviceToken":"\#(Self.token)","registered":1767225601234,"#
                + #""registration":{"created":1767225600,"generation":3,"key":{"crv":"X25519","kid":"\#(x.kid)","kty":"OKP","use":"enc","x":"\#(x.x)"},"#
                + #""lifetime":604800}}"#)
        #expect(try JSONDecoder().decode(Recipient.self, from: Data(text.utf8)) == recipient)
    }

    @Test("A row with a generation beyond the limit for a first one is read")
    func everyStoredGenerationIsRead() throws {
        var known = try update(nil, registration(generation: 1 << 52))
        known = try update(known, registration(generation: 1 << 52 + 1))
        #expect(
            try JSONDecoder().decode(Recipient.self, from: JSONEncoder().encode(known)) == known)
    }

    @Test("An invalid row is rejected") func anInvalidRowIsRejected() throws {
        let row = String(
            decoding: try JSONEncoder().encode(try update(nil, registration(generation: 3))),
            as: UTF8.self)
        for (old, new, expected) in [
            (Self.token, "xx", PushCryptError.Code.malformedRegistration),
            ("604800", "0", .malformedRegistration), ("604800", "2592001", .malformedRegistration),
            ("604800", "604800.5", .malformedRegistration),
            ("604800", #""604800""#, .malformedRegistration),
            (#""lifetime""#, #""other""#, .malformedRegistration),
            (#""generation":3"#, #""generation":0"#, .malformedRegistration),
            (#""X25519""#, #""Ed25519""#, .wrongKeyType), (#""x":""#, #""x":"A"#, .malformedJWK),
            (#""x":""#, #""d":"AAAA","x":""#, .malformedJWK),
        ] {
            let changed = row.replacingOccurrences(of: old, with: new)
            #expect(changed != row)
            #expect(
                code { try JSONDecoder().decode(Recipient.self, from: Data(changed.utf8)) }
                    == expected, "\(new)")
        }
        for missing in ["account", "deviceToken", "registered", "registration"] {
            let changed = row.replacingOccurrences(of: "\"\(missing)\"", with: "\"x\"")
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Recipient.self, from: Data(changed.utf8))
            }
        }
    }

    private struct Base64URLText {
        let kid: String
        let x: String

        init(_ key: RecipientPublicKey) {
            (kid, x) = (
                key.kid,
                key.jwk.components(separatedBy: #""x":""#).last?.prefix(43).description ?? ""
            )
        }
    }

    @Test("The newest registration wins in any order of arrival")
    func theNewestRegistrationWinsInAnyOrderOfArrival()
        throws
    {
        let sent = try (1...4 as ClosedRange<UInt64>).map {
            try registration($0.isMultiple(of: 2) ? .alice : .bob, generation: $0)
        }
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 3, 0, 1], [1, 1, 3, 0, 2, 3, 1]] {
            var known: Recipient?
            for index in order {
                do {
                    known = try update(known, sent[index])
                } catch let error as PushCryptError {
                    #expect(error.code == .staleGeneration)
                }
            }
            #expect(known?.registration == sent[3])
        }
    }

    @Test("A device token is stored in lowercase") func aDeviceTokenIsStoredInLowercase() throws {
        let recipient = try update(nil, registration(generation: 1), token: Self.token.uppercased())
        #expect(recipient.deviceToken == Self.token)
        let again = try update(
            recipient, registration(generation: 2), token: Self.token.uppercased())
        #expect(again.deviceToken == Self.token)
    }

    @Test(
        "A malformed device token is rejected",
        arguments: [
            "", "0a", String(repeating: "0", count: 30), String(repeating: "0", count: 402),
            String(repeating: "0", count: 63), String(repeating: "0g", count: 32),
            " " + String(repeating: "0", count: 63),
            String(repeating: "0a", count: 32) + "\n",
            "<" + String(repeating: "0", count: 62) + ">",
            String(repeating: "é", count: 32), String(repeating: "\u{0660}", count: 64),
            "\u{212A}" + String(repeating: "0", count: 63),
        ])
    func aMalformedDeviceTokenIsRejected(token: String) throws {
        #expect(
            code { try update(nil, registration(generation: 1), token: token) }
                == .malformedRegistration)
    }

    @Test("Device tokens of different lengths are accepted", arguments: [32, 64, 200, 400])
    func deviceTokensOfDifferentLengthsAreAccepted(length: Int) throws {
        let token = String(repeating: "f", count: length)
        #expect(try update(nil, registration(generation: 1), token: token).deviceToken == token)
    }

    @Test("A registration for another device token is rejected")
    func aRegistrationForAnotherDeviceTokenIsRejected()
        throws
    {
        let known = try update(nil, registration(generation: 1))
        let other = String(repeating: "0b", count: 32)
        #expect(
            code { try update(known, registration(generation: 2), token: other) }
                == .malformedRegistration)
    }

    @Test("A malformed registration is rejected with its code")
    func aMalformedRegistrationIsRejectedWithItsCode()
        throws
    {
        let known = try update(nil, registration(generation: 1))
        for (text, expected) in [
            ("", PushCryptError.Code.malformedRegistration), ("{}", .malformedRegistration),
            (#"{"created":1,"generation":2,"key":{},"lifetime":1}"#, .malformedJWK),
            (
                #"{"created":1,"generation":2,"key":\#(try TestKeys.sender().publicKey.jwk),"lifetime":1}"#,
                .wrongKeyType
            ),
        ] {
            for known in [nil, known] {
                #expect(code { try parsed(text.utf8, replacing: known) } == expected)
            }
        }
    }

    @Test("A flipped bit never lets an older generation replace the stored one")
    func aFlippedBitNeverLetsAnOlderGenerationReplaceTheStoredOne() throws {
        let known = try update(nil, registration(generation: 20))
        let bytes = Array(try registration(generation: 19).json.utf8)
        let codes: Set<PushCryptError.Code> = [
            .staleGeneration, .malformedRegistration, .malformedJWK, .wrongKeyType, .invalidKey,
        ]
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                do {
                    let kept = try parsed(flipped, replacing: known)
                    #expect(
                        kept.registration.generation > known.registration.generation
                            || kept.key == known.key)
                } catch let error as PushCryptError {
                    #expect(codes.contains(error.code))
                }
            }
        }
    }
}

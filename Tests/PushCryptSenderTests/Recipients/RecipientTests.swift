import Foundation
import PushCryptTesting
import Testing

/// What a server keeps of a device, and what it refuses.
@Suite struct RecipientTests {
    static let token = String(repeating: "0a", count: 32)

    private func registration(
        _ device: TestKeys.Device = .alice, generation: UInt64, created: TimeInterval = 1_767_225_600
    ) throws -> Registration {
        let jwk = try TestKeys.device(device).publicKey.jwk
        return try Registration(
            parsing: #"{"created":\#(Int(created)),"generation":\#(generation),"key":\#(jwk)}"#.utf8)
    }

    private func update(
        _ known: Recipient?, _ registration: Registration, token: String = token
    ) throws -> Recipient {
        try Recipient.updating(known, with: registration.json.utf8, deviceToken: token)
    }

    /// The code of the error that a step throws.
    private func code(_ body: () throws -> Recipient) -> PushCryptError.Code? {
        if case .failure(let error as PushCryptError) = Result(catching: body) { error.code } else { nil }
    }

    @Test func theFirstRegistrationIsKept() throws {
        let sent = try registration(generation: 3)
        let recipient = try update(nil, sent)
        #expect(recipient.registration == sent)
        #expect(recipient.deviceToken == Self.token)
        #expect(recipient.generation == 3)
        #expect(recipient.key == (try TestKeys.device().publicKey))
        #expect(try Recipient.updating(nil, with: Array(sent.json.utf8), deviceToken: Self.token) == recipient)
        #expect(try Recipient.updating(nil, with: Data(sent.json.utf8), deviceToken: Self.token) == recipient)
    }

    @Test func aNewerRegistrationTakesItsPlace() throws {
        let known = try update(nil, registration(generation: 3))
        let other = try update(known, registration(.bob, generation: 4))
        #expect(other.key == (try TestKeys.device(.bob).publicKey) && other.generation == 4)
        let same = try update(known, registration(generation: 9))
        #expect(same.key == known.key && same.generation == 9)
    }

    @Test func theSameRegistrationMayArriveAgain() throws {
        let known = try update(nil, registration(generation: 3))
        #expect(try update(known, registration(generation: 3)) == known)
    }

    @Test func anOlderRegistrationIsRefused() throws {
        let known = try update(nil, registration(generation: 3))
        for generation in 1...2 as ClosedRange<UInt64> {
            #expect(code { try update(known, registration(generation: generation)) } == .staleGeneration)
            #expect(code { try update(known, registration(.bob, generation: generation)) } == .staleGeneration)
        }
    }

    @Test func anotherKeyUnderTheSameGenerationIsRefused() throws {
        let known = try update(nil, registration(generation: 3))
        #expect(code { try update(known, registration(.bob, generation: 3)) } == .staleGeneration)
    }

    @Test func inWhateverOrderTheyArriveTheNewestIsKept() throws {
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

    @Test func aTokenIsKeptInLowercase() throws {
        let recipient = try update(nil, registration(generation: 1), token: Self.token.uppercased())
        #expect(recipient.deviceToken == Self.token)
        let again = try update(recipient, registration(generation: 2), token: Self.token.uppercased())
        #expect(again.deviceToken == Self.token)
    }

    @Test(arguments: [
        "", "0a", String(repeating: "0", count: 30), String(repeating: "0", count: 402),
        String(repeating: "0", count: 63), String(repeating: "0g", count: 32), " " + String(repeating: "0", count: 63),
        String(repeating: "0a", count: 32) + "\n", "<" + String(repeating: "0", count: 62) + ">",
        String(repeating: "é", count: 32), String(repeating: "\u{0660}", count: 64),
        "\u{212A}" + String(repeating: "0", count: 63),
    ])
    func whatIsNoTokenIsRefused(token: String) throws {
        #expect(code { try update(nil, registration(generation: 1), token: token) } == .malformedRegistration)
        #expect(
            code { try Recipient(deviceToken: token, registration: registration(generation: 1)) }
                == .malformedRegistration)
    }

    @Test(arguments: [32, 64, 200, 400]) func tokensOfAnyUsualLengthAreTaken(length: Int) throws {
        let token = String(repeating: "f", count: length)
        #expect(try update(nil, registration(generation: 1), token: token).deviceToken == token)
    }

    @Test func aRegistrationOfAnotherTokenIsRefused() throws {
        let known = try update(nil, registration(generation: 1))
        let other = String(repeating: "0b", count: 32)
        #expect(code { try update(known, registration(generation: 2), token: other) } == .malformedRegistration)
    }

    @Test func whatIsNoRegistrationIsRefusedAsThere() throws {
        let known = try update(nil, registration(generation: 1))
        for (text, expected) in [
            ("", PushCryptError.Code.malformedRegistration), ("{}", .malformedRegistration),
            (#"{"created":1,"generation":2,"key":{}}"#, .malformedJWK),
            (#"{"created":1,"generation":2,"key":\#(try TestKeys.sender().publicKey.jwk)}"#, .wrongKeyType),
        ] {
            for known in [nil, known] {
                #expect(
                    code { try Recipient.updating(known, with: text.utf8, deviceToken: Self.token) } == expected)
            }
        }
    }

    @Test func aFlippedBitNeverMakesAnOlderGenerationTheNewOne() throws {
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
                    let kept = try Recipient.updating(known, with: flipped, deviceToken: Self.token)
                    #expect(kept.generation > known.generation || kept.key == known.key)
                } catch {
                    #expect(codes.contains(error.code))
                }
            }
        }
    }
}

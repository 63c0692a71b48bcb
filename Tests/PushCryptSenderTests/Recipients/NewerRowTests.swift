import Foundation
import PushCryptTesting
import Testing

/// A row that a newer version has written: this version seals to it, and doesn't write it.
@Suite struct NewerRowTests {
    private static let token = String(repeating: "0a", count: 32)

    private func registration(generation: Int) throws -> String {
        let jwk = try TestKeys.device().publicKey.jwk
        return
            #"{"created":1767225600,"generation":\#(generation),"key":\#(jwk),"lifetime":604800}"#
    }

    private func row(adding member: String) throws -> Recipient {
        let json = """
            {"account":"anna","deviceToken":"\(Self.token)","proved":1767225600000,"registered":1767225600000,\
            "registration":\(try registration(generation: 3)),\(member)}
            """
        return try JSONDecoder().decode(Recipient.self, from: Data(json.utf8))
    }

    private func code(_ body: () throws -> Void) -> PushCryptError.Code? {
        if case .failure(let error as PushCryptError) = Result(catching: body) {
            error.code
        } else {
            nil
        }
    }

    @Test("A push is sealed to it") func aPushIsSealed() throws {
        let row = try row(adding: #""secret":"A""#)
        #expect(row.unknownMember == "secret")
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"Hello"}}"#, for: row)
        #expect(!push.payload.isEmpty)
    }

    @Test("It isn't encoded") func itIsNotEncoded() throws {
        let row = try row(adding: #""secret":"A""#)
        #expect(code { _ = try JSONEncoder().encode(row) } == .newerFormat)
        #expect(code { _ = try JSONEncoder().encode(try self.row(adding: #""version":1"#)) } == nil)
        #expect(try self.row(adding: #""version":2"#).unknownMember == "version")
    }

    @Test("No registration replaces it", arguments: [3, 4]) func noRegistrationReplacesIt(
        generation: Int
    ) throws {
        let row = try row(adding: #""secret":"A""#)
        let registration = try Registration(parsing: registration(generation: generation))
        let found = code {
            _ = try Recipient(
                registration: registration, deviceToken: Self.token, account: "anna", replacing: row
            )
        }
        #expect(found == .newerFormat)
    }

    @Test("The same registration doesn't replace it where proofs are on")
    func proofsDoNotReplaceIt() throws {
        let proofs = ProofOfPossession(
            topic: "com.example.app",
            secrets: try ChallengeSecrets(parsing: String(repeating: "A", count: 43)),
            start: .distantPast)
        let quoted = String(
            decoding: try JSONEncoder().encode(registration(generation: 3)), as: UTF8.self)
        let body = #"{"registration":\#(quoted),"token":"\#(Self.token)"}"#
        let request = try RegistrationRequest(parsing: body)
        let row = try row(adding: #""secret":"A""#)
        #expect(
            code { _ = try proofs.decide(request, account: "anna", replacing: row) } == .newerFormat
        )
    }
}

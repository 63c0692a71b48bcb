import PushCryptCore
import TestSupport
import Testing

@Suite struct ErrorCodeTests {
    @Test("All codes are found in the sources") func allAreFound() throws {
        #expect(try DeclaredCode.filesInDirectory() == Set(DeclaredCode.files))
        let constants = try DeclaredCode.files.map {
            try DeclaredCode.source($0).split(separator: "static let ").count - 1
        }
        #expect(try DeclaredCode.all().count == constants.reduce(0, +))
        #expect(try DeclaredCode.all().count >= 60)
    }

    @Test("All codes are distinct") func allAreDistinct() throws {
        let codes = try DeclaredCode.all()
        #expect(Set(codes.map(\.word)).count == codes.count)
    }

    @Test("All codes are in lower case with hyphens") func allAreInLowerCaseWithHyphens() throws {
        for code in try DeclaredCode.all() {
            #expect(code.word.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil, "\(code.name)")
        }
    }

    @Test("All codes match their Swift names") func allAreSpeltLikeTheirNames() throws {
        for code in try DeclaredCode.all() {
            #expect(code.word.replacing("-", with: "") == code.name.lowercased(), "\(code.name)")
        }
    }

    @Test("A code is created from its word") func areTheirWords() {
        #expect(PushCryptError.Code.malformedJWK.rawValue == "malformed-jwk")
        #expect(PushCryptError.Code.unknownKey.description == "unknown-key")
        #expect(PushCryptError.Code(rawValue: "unknown-key") == .unknownKey)
        #expect(PushCryptError.Code(rawValue: "of-an-app") != .unknownKey)
    }
}

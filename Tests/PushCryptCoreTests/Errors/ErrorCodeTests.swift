import Foundation
import PushCryptCore
import Testing

@Suite struct ErrorCodeTests {
    /// Every code by its Swift name, read from the source so that none can be left out here.
    static let declared: [(name: String, word: String)] = {
        let text = SourceTree.text(of: "PushCryptCore/ErrorCode.swift")
        return text.matches(of: #/public static let (\w+) = Self\("([^"]*)"\)/#).map { (String($0.1), String($0.2)) }
    }()

    @Test func allAreFound() {
        let count =
            SourceTree.text(of: "PushCryptCore/ErrorCode.swift").split(separator: "static let ").count - 1
        #expect(Self.declared.count == count)
        #expect(count >= 30)
    }

    @Test func allAreDistinct() {
        #expect(Set(Self.declared.map(\.word)).count == Self.declared.count)
    }

    @Test func allAreInLowerCaseWithHyphens() throws {
        for (name, word) in Self.declared {
            #expect(word.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil, "\(name)")
        }
    }

    @Test func allAreSpeltLikeTheirNames() {
        for (name, word) in Self.declared {
            #expect(word.replacing("-", with: "") == name.lowercased(), "\(name)")
        }
    }

    @Test func areTheirWords() {
        #expect(PushCryptError.Code.malformedJWK.rawValue == "malformed-jwk")
        #expect(PushCryptError.Code.unknownKey.description == "unknown-key")
        #expect(PushCryptError.Code(rawValue: "unknown-key") == .unknownKey)
        #expect(PushCryptError.Code(rawValue: "of-an-app") != .unknownKey)
    }
}

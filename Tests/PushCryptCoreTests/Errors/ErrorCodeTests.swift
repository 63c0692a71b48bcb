import Foundation
import PushCryptCore
import Testing

@Suite struct ErrorCodeTests {
    private static let source: String = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appendingPathComponent("../../Sources/PushCryptCore/ErrorCode.swift")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// All codes by their Swift names, read from the source so that the tests can't miss one.
    static let declared: [(name: String, word: String)] = {
        source.matches(of: #/(?:public|package) static let (\w+) = Self\(rawValue: "([^"]*)"\)/#).map {
            (String($0.1), String($0.2))
        }
    }()

    @Test("All codes are found in the source") func allAreFound() {
        let count = Self.source.split(separator: "static let ").count - 1
        #expect(Self.declared.count == count)
        #expect(count >= 30)
    }

    @Test("All codes are distinct") func allAreDistinct() {
        #expect(Set(Self.declared.map(\.word)).count == Self.declared.count)
    }

    @Test("All codes are in lower case with hyphens") func allAreInLowerCaseWithHyphens() throws {
        for (name, word) in Self.declared {
            #expect(word.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil, "\(name)")
        }
    }

    @Test("All codes match their Swift names") func allAreSpeltLikeTheirNames() {
        for (name, word) in Self.declared {
            #expect(word.replacing("-", with: "") == name.lowercased(), "\(name)")
        }
    }

    @Test("A code is created from its word") func areTheirWords() {
        #expect(PushCryptError.Code.malformedJWK.rawValue == "malformed-jwk")
        #expect(PushCryptError.Code.unknownKey.description == "unknown-key")
        #expect(PushCryptError.Code(rawValue: "unknown-key") == .unknownKey)
        #expect(PushCryptError.Code(rawValue: "of-an-app") != .unknownKey)
    }
}

import Foundation
import Testing

/// The page of errors has every code, once, and no other.
@Suite struct ErrorsTests {
    private func matches(_ pattern: Regex<(Substring, Substring)>, in path: String) throws -> [String] {
        try Document(path).text.matches(of: pattern).map { String($0.output.1) }
    }

    @Test func thePageHasTheCodesOfTheSource() throws {
        let source = try matches(/= Self\("([a-z-]+)"\)/, in: "Sources/PushCryptCore/Errors/ErrorCode.swift")
        let page = try matches(/\n\| `([a-z-]+)` \|/, in: "Docs/Errors.md")
        #expect(source.count >= 30)
        #expect(page == source)
    }
}

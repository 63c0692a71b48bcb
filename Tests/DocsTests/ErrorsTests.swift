import Foundation
import PushCryptTesting
import Testing

/// The page of errors has every code, once, and no other.
@Suite struct ErrorsTests {
    private func matches(_ pattern: Regex<(Substring, Substring)>, in path: String) throws -> [String] {
        try Document(path).text.matches(of: pattern).map { String($0.output.1) }
    }

    @Test func thePageHasTheCodesOfTheSource() throws {
        let source = try matches(/= Self\("([a-z0-9-]+)"\)/, in: "Sources/PushCryptCore/ErrorCode.swift")
        let page = try matches(/\n\| `([a-z0-9-]+)` \|/, in: "Docs/Errors.md")
        let constants = try matches(/static let (\w+) = Self/, in: "Sources/PushCryptCore/ErrorCode.swift")
        #expect(try matches(/\n\| `[a-z0-9-]+` \| `\.(\w+)` \|/, in: "Docs/Errors.md") == constants)
        #expect(source.count >= 30)
        #expect(page == source)
    }

    @Test func theCodeIsTheCodeThatIsCompiled() throws {
        #expect(try Document("Docs/Errors.md").blocks("swift") == [Document.snippet("ErrorsSnippet")])
        let long = Array(#"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#.utf8)
        let push = try ErrorsSnippet.run(
            sealer: Sealer(.anonymous), payload: long, shorterPayload: Array(#"{"aps":{"alert":"x"}}"#.utf8),
            device: TestKeys.device().publicKey)
        #expect(push.payload.count < 4096)
    }
}

import PushCryptTesting
import Testing

/// The worked example of the format's page is one.
@Suite struct FormatTests {
    @Test func theExampleOpens() throws {
        let page = try Document("Docs/Format.md")
        let payload = try #require(page.blocks("json").first)
        let opener = Opener(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: [try TestKeys.sender().publicKey]), time: TestClock())
        let opened = try opener.open(json: payload.utf8)
        #expect(opened.issuedAt == TestClock().now)
        #expect(page.blocks("text").contains(String(decoding: opened.payload, as: UTF8.self)))
    }
}

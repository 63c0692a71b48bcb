import PushCryptTesting
import Testing

@testable import PushCryptReceiver

@Suite struct NotificationResultTests {
    /// A platform's own object with content in its description.
    private struct Native: Sendable {
        let text = "quite secret"
    }

    @Test("Descriptions don't contain content") func descriptionsDontContainContent() throws {
        let push = try Opener(keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone, time: TestClock())
            .open(json: try Pushes.sealed("quite secret"))
        let result = NotificationResult(
            content: NotificationContent(body: "quite secret"), outcome: .opened(push), native: Native())
        var dumped = ""
        dump(result, to: &dumped)
        for text in ["\(result)", String(reflecting: result), dumped] {
            #expect(text.contains("12 characters") && text.contains("OpenedPush"))
            #expect(!text.contains("quite secret"))
        }
    }
}

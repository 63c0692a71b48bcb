import PushCryptTesting
import Testing

@testable import PushCryptReceiver

@Suite struct NotificationResultTests {
    private func opened() throws -> OpenedPush {
        try Opener(keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone, time: TestClock())
            .open(json: try Pushes.sealed("quite secret"))
    }

    @Test("Descriptions of a result don't contain content") func descriptionsDontContainContent() throws {
        let result = NotificationResult(
            content: NotificationContent(body: "quite secret"),
            presentation: .opened(
                try opened(), OriginalText(content: NotificationContent(body: "quite secret"), thread: "secret")))
        var dumped = ""
        dump(result, to: &dumped)
        for text in ["\(result)", String(reflecting: result), dumped] {
            #expect(text.contains("12 characters") && text.contains("OpenedPush"))
            #expect(!text.contains("secret"))
        }
    }

    @Test("Descriptions of a presented notification don't contain the platform's content")
    func descriptionsDontContainThePlatformsContent() throws {
        let presented = PresentedNotification(
            content: "quite secret",
            presentation: .opened(
                try opened(), OriginalText(content: NotificationContent(body: "quite secret"), thread: "secret")),
            hasText: true)
        var dumped = ""
        dump(presented, to: &dumped)
        for text in ["\(presented)", String(reflecting: presented), dumped] {
            #expect(text.contains("OpenedPush"))
            #expect(!text.contains("secret"))
        }
    }
}

import PushCryptTesting
import Testing

@testable import PushCryptReceiver

@Suite struct PresentedTests {
    private func opened() throws -> OpenedPush {
        try Opener(
            keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone,
            time: TestClock()
        )
        .open(json: try Pushes.sealed("quite secret"))
    }

    @Test("Descriptions of a result don't contain content, also not the system's")
    func descriptionsDontContainContent() throws {
        let content = NotificationContent(body: "quite secret")
        var result = Presented(content, PushOutcome(.opened, try opened()))
        result.original = OriginalText([:], content)
        result.object = NeutralContent(
            content: NotificationContent(title: "quite secret", body: "secret"))
        var dumped = ""
        dump(result, to: &dumped)
        for text in ["\(result)", String(reflecting: result), dumped] {
            #expect(text.contains("12 characters") && text.contains("OpenedPush"))
            #expect(!text.contains("secret"))
        }
    }

    @Test("Of the fallbacks, only the one of a possible copy counts as a copy") func copies() {
        func isCopy(_ kind: PushOutcome.Kind, _ code: PushCryptError.Code) -> Bool {
            Presented(NotificationContent(), PushOutcome(kind, failure: PushCryptError(code, "")))
                .isCopy
        }
        #expect(isCopy(.fallback, .possiblyReplayed))
        for code in [PushCryptError.Code.expired, .possiblyWithdrawn, .unknownKey] {
            #expect(!isCopy(.fallback, code))
        }
        #expect(isCopy(.replayed, .replayed))
    }
}

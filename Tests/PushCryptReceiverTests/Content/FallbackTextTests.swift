import PushCryptReceiver
import PushCryptTesting
import Testing

@Suite struct FallbackTextTests {
    private let strings = DictionaryStringTable([
        "ENCRYPTED": "(Verschlüsselt)", "EMPTY": "", "FORMAT": "100 %% %@",
    ])

    @Test("The fallback comes from the user's string table")
    func fallbackComesFromTheUsersStringTable() {
        #expect(FallbackText(key: "ENCRYPTED", in: strings).body == "(Verschlüsselt)")
        #expect(FallbackText(key: "ENCRYPTED", in: strings) == FallbackText("(Verschlüsselt)"))
    }

    @Test("The fallback isn't a format") func fallbackIsntAFormat() {
        #expect(FallbackText(key: "FORMAT", in: strings).body == "100 %% %@")
    }

    @Test("The fallback is never empty", arguments: ["MISSING", "EMPTY", "", "encrypted"])
    func fallbackIsNeverEmpty(key: String) {
        #expect(FallbackText(key: key, in: strings) == .standard)
        #expect(FallbackText(key: key, in: strings).body == "(Encrypted)")
    }

    @Test("The fallback is displayed") func fallbackIsDisplayed() throws {
        var configuration = PushConfiguration(keys: InMemoryKeyStore([]), senderPolicy: .anyone)
        configuration.fallback = FallbackText(key: "ENCRYPTED", in: strings)
        configuration.strings = strings
        // Keys of the delivered payload aren't looked up, because it isn't authentic.
        let evil =
            #"{"aps":{"alert":{"title-loc-key":"FORMAT","loc-key":"FORMAT","loc-args":["evil"]}}}"#
        let shown = PushInbox(configuration).open(try DeliveredNotification(json: evil.utf8))
        #expect(
            [shown.content.title, shown.content.subtitle, shown.content.body] == [
                "", "", "(Verschlüsselt)",
            ])
    }
}

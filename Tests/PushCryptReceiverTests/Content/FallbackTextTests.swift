import PushCryptReceiver
import PushCryptTesting
import Testing

@Suite struct FallbackTextTests {
    private let strings = DictionaryStringTable(["ENCRYPTED": "(Verschlüsselt)", "EMPTY": "", "FORMAT": "100 %% %@"])

    @Test func theTextOfTheUsersLanguageIsTaken() {
        #expect(FallbackText(key: "ENCRYPTED", in: strings).body == "(Verschlüsselt)")
        #expect(FallbackText(key: "ENCRYPTED", in: strings) == FallbackText("(Verschlüsselt)"))
    }

    @Test func itIsNoFormat() {
        #expect(FallbackText(key: "FORMAT", in: strings).body == "100 %% %@")
    }

    @Test(arguments: ["MISSING", "EMPTY", "", "encrypted"])
    func thereIsAlwaysAText(key: String) {
        #expect(FallbackText(key: key, in: strings) == .standard)
        #expect(FallbackText(key: key, in: strings).body == "(Encrypted)")
    }

    @Test func itIsWhatIsShown() throws {
        let notificationOpener = NotificationOpener(
            Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone),
            fallback: FallbackText(key: "ENCRYPTED", in: strings),
            strings: strings)
        // A key of the table in what was delivered is not looked up: it is nobody's word.
        let evil = #"{"aps":{"alert":{"title-loc-key":"FORMAT","loc-key":"FORMAT","loc-args":["evil"]}}}"#
        let shown = notificationOpener.open(try DeliveredNotification(json: evil.utf8))
        #expect([shown.content.title, shown.content.subtitle, shown.content.body] == ["", "", "(Verschlüsselt)"])
    }
}

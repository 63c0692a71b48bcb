import Foundation
import PushCryptTesting
import Testing

@Suite struct NotificationPresenterTests {
    private let device: RecipientPrivateKey
    private let opener: Opener

    init() throws {
        device = try TestKeys.device()
        opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
    }

    private func sealed(_ json: String, type: PushType = .alert) throws -> DeliveredNotification {
        let push = try Sealer(.anonymous).seal(json: json.utf8, for: device.publicKey, headers: APNsHeaders(type))
        return try DeliveredNotification(json: push.payload)
    }

    @Test func anOpenedMessageIsShown() throws {
        let shown = NotificationOpener(opener).open(try sealed(#"{"aps":{"alert":{"title":"t","body":"b"}}}"#))
        #expect(shown.content.title == "t")
        #expect(shown.content.body == "b")
        #expect(shown.outcome.failure == nil)
    }

    @Test func anUnsealedPayloadShowsTheFallback() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":{"title":"evil","body":"evil"}}}"#.utf8))
        let shown = NotificationOpener(opener).open(plain)
        #expect(shown.content.title == "")
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .notSealed)
    }

    @Test func anUnsealedPayloadIsShownWhereTheAppAllowsIt() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":{"title":"t","body":"b"}}}"#.utf8))
        let shown = NotificationOpener(opener, unsealedPayloads: .allow).open(plain)
        #expect(shown.content.title == "t")
        #expect(shown.outcome.push == nil && shown.outcome.failure == nil)
    }

    @Test func toAllowPlaintextIsNotToAllowAWrongEnvelope() throws {
        let wrong = try DeliveredNotification(json: Array(#"{"aps":{"alert":"evil"},"ENCRYPTED_DATA":"AA"}"#.utf8))
        let shown = NotificationOpener(opener, unsealedPayloads: .allow).open(wrong)
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .unsupportedVersion)
    }

    @Test func theFallbackMayBeLocalised() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":"x"}}"#.utf8))
        #expect(
            NotificationOpener(opener, fallback: FallbackText("(Verschlüsselt)")).open(plain).content.body
                == "(Verschlüsselt)")
        #expect(FallbackText("").body == "(Encrypted)")
    }

    @Test func theFallbackKeepsTheBadge() throws {
        var content = NotificationContent(title: "t", body: "b")
        content.badge = 3
        let shown = NotificationOpener(opener)
            .open(DeliveredNotification(content: content, userInfo: ["aps": ["alert": "b"]]))
        #expect(shown.content.badge == 3)
    }

    @Test func allowedPlaintextWithoutATextIsNotShownEmpty() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"badge":1}}"#.utf8))
        let shown = NotificationOpener(opener, unsealedPayloads: .allow).open(plain)
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .notSealed)
    }

    @Test func whatOpensWithoutATextIsNotShownEmpty() throws {
        // A VoIP payload needs no text; delivered as an alert, it has none to show.
        let shown = NotificationOpener(opener).open(try sealed(#"{"aps":{},"call":1}"#, type: .voip))
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .noAlertText)
    }

    @Test func userInfoMayStaySealed() throws {
        let delivered = try sealed(#"{"aps":{"alert":"b"},"k":1}"#)
        #expect(
            NotificationOpener(opener, keepsUserInfoSealed: true).open(delivered).content.originalPayload == nil
        )
        #expect(NotificationOpener(opener).open(delivered).content.originalPayload != nil)
    }

    // MARK: String tables

    private static let strings = DictionaryStringTable([
        "TITLE": "Nachricht von %1$@", "SUBTITLE": "Konto", "BODY": "%@ hat %@ geschrieben", "BLANK": "%@",
    ])

    private func presented(_ json: String, strings: (any StringTable)? = strings) throws -> NotificationResult {
        NotificationOpener(opener, strings: strings).open(try sealed(json))
    }

    @Test func theOriginalsKeysAreLookedUpInTheAppsTable() throws {
        let json = """
            {"aps":{"alert":{"title-loc-key":"TITLE","title-loc-args":["Anna"],"title":"Message","subtitle-loc-key":\
            "SUBTITLE","loc-key":"BODY","loc-args":["Anna","%@"]}},"k":1}
            """
        let shown = try presented(json)
        #expect(shown.content.title == "Nachricht von Anna")
        #expect(shown.content.subtitle == "Konto")
        #expect(shown.content.body == "Anna hat %@ geschrieben")
        #expect(shown.outcome.failure == nil)
        #expect(
            try shown.content.originalPayload == JSONValue(parsing: Array(json.utf8)).objectValue,
            "The app gets the original as it was.")
        let without = try presented(json, strings: nil)
        #expect(
            [without.content.title, without.content.subtitle, without.content.body] == ["Message", "SUBTITLE", "BODY"])
    }

    @Test func thePlaceholdersKeysAreNotLookedUpInItsPlace() throws {
        let push = try Sealer(
            .anonymous,
            placeholder: Placeholder(title: .localized(key: "TITLE", arguments: ["x"]), body: .localized(key: "BODY"))
        ).seal(json: #"{"aps":{"alert":"b"}}"#.utf8, for: device.publicKey)
        let shown = NotificationOpener(opener, strings: Self.strings)
            .open(try DeliveredNotification(json: push.payload))
        #expect([shown.content.title, shown.content.subtitle, shown.content.body] == ["", "", "b"])
    }

    @Test func aStringThatComesOutEmptyIsNotShownEmpty() throws {
        let shown = try presented(#"{"aps":{"alert":{"loc-key":"BLANK","loc-args":[""]}}}"#)
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .noAlertText)
    }

    @Test func aTableThatHasNothingLosesNoText() throws {
        let shown = try presented(#"{"aps":{"alert":{"loc-key":"MISSING","body":"b","title-loc-key":"T"}}}"#)
        #expect([shown.content.title, shown.content.body] == ["T", "b"])
        #expect(shown.outcome.failure == nil)
    }
}

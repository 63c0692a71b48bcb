import Foundation
import PushCryptTesting
import TestSupport
import Testing

@Suite struct NotificationOpenerTests {
    private let device: RecipientPrivateKey

    init() throws { device = try TestKeys.device() }

    /// Opens a notification with an inbox that opens `userInfo`, too.
    private func open(
        _ notification: DeliveredNotification,
        _ change: (inout PushConfiguration) -> Void = { _ in }
    ) -> Presented {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        configuration.keepsUserInfoSealed = false
        change(&configuration)
        return PushInbox(configuration).open(notification)
    }

    private func sealed(_ json: String, type: PushType = .alert) throws -> DeliveredNotification {
        let push = try Sealer(.anonymous).seal(
            json: json.utf8, for: device.publicKey, headers: APNsHeaders(type))
        return try DeliveredNotification(json: push.payload)
    }

    @Test("An opened message is displayed") func openedMessageIsDisplayed() throws {
        let shown = open(try sealed(#"{"aps":{"alert":{"title":"t","body":"b"}}}"#))
        #expect(shown.content.title == "t")
        #expect(shown.content.body == "b")
        #expect(shown.outcome.failure == nil)
    }

    @Test("An unsealed payload leads to the fallback") func unsealedPayloadLeadsToTheFallback()
        throws
    {
        let plain = try DeliveredNotification(
            json: Array(#"{"aps":{"alert":{"title":"evil","body":"evil"}}}"#.utf8))
        let shown = open(plain)
        #expect(shown.content.title == "")
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .notSealed)
    }

    @Test("An unsealed payload is displayed if the app allows it")
    func unsealedPayloadIsDisplayedIfTheAppAllowsIt()
        throws
    {
        let plain = try DeliveredNotification(
            json: Array(#"{"aps":{"alert":{"title":"t","body":"b"}}}"#.utf8))
        let shown = open(plain) { $0.unsealedPayloads = .allow }
        #expect(shown.content.title == "t")
        #expect(shown.outcome.push == nil && shown.outcome.failure == nil)
    }

    @Test("Allowing unsealed payloads doesn't allow invalid envelopes")
    func allowingUnsealedPayloadsDoesntAllowInvalidEnvelopes() throws {
        let wrong = try DeliveredNotification(
            json: Array(#"{"aps":{"alert":"evil"},"ENCRYPTED_DATA":"AA"}"#.utf8))
        let shown = open(wrong) { $0.unsealedPayloads = .allow }
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .unsupportedVersion)
    }

    @Test("The fallback can be localized") func fallbackCanBeLocalized() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":"x"}}"#.utf8))
        let shown = open(plain) { $0.fallback = FallbackText("(Verschlüsselt)") }
        #expect(shown.content.body == "(Verschlüsselt)")
        #expect(FallbackText("").body == "(Encrypted)")
    }

    @Test("The fallback keeps the badge") func fallbackKeepsTheBadge() throws {
        var content = NotificationContent(title: "t", body: "b")
        content.badge = 3
        let shown = open(DeliveredNotification(content: content, userInfo: ["aps": ["alert": "b"]]))
        #expect(shown.content.badge == 3)
    }

    @Test("An allowed payload without text leads to the fallback")
    func allowedPayloadWithoutTextLeadsToTheFallback()
        throws
    {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"badge":1}}"#.utf8))
        let shown = open(plain) { $0.unsealedPayloads = .allow }
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .notSealed)
    }

    @Test("An opened payload without text leads to the fallback")
    func openedPayloadWithoutTextLeadsToTheFallback()
        throws
    {
        let message = RawMessage(
            authentication: 1, kind: 1, issuedAt: Date().millisecondsSince1970,
            payload: Array(#"{"aps":{}}"#.utf8),
            signer: .acme)
        let text = Base64URL.encode(message.envelope())
        let delivered = DeliveredNotification(
            content: .init(body: "visible"), userInfo: ["ENCRYPTED_DATA": text])
        let shown = open(delivered)
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .noAlertText)
    }

    @Test("A push of another kind leads to the fallback", arguments: [PushType.background, .voip])
    func pushOfAnotherKindLeadsToTheFallback(type: PushType) throws {
        let shown = open(
            try sealed(#"{"aps":{"content-available":1},"call":1}"#, type: type))
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .wrongKind)
    }

    @Test("The opener can leave userInfo sealed") func openerCanLeaveUserInfoSealed() throws {
        let delivered = try sealed(#"{"aps":{"alert":"b"},"k":1}"#)
        #expect(open(delivered) { $0.keepsUserInfoSealed = true }.content.originalPayload == nil)
        #expect(open(delivered).content.originalPayload != nil)
    }

    // MARK: String tables

    private static let strings = DictionaryStringTable([
        "TITLE": "Nachricht von %1$@", "SUBTITLE": "Konto", "BODY": "%@ hat %@ geschrieben",
        "BLANK": "%@",
    ])

    private func presented(_ json: String, strings: (any StringTable)? = strings) throws
        -> Presented
    {
        open(try sealed(json)) { $0.strings = strings }
    }

    @Test("The original's keys are looked up in the app's table")
    func originalsKeysAreLookedUpInTheAppsTable() throws {
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
            [without.content.title, without.content.subtitle, without.content.body] == [
                "Message", "SUBTITLE", "BODY",
            ])
    }

    @Test("The placeholder's keys aren't looked up") func placeholdersKeysArentLookedUp() throws {
        let push = try Sealer(
            .anonymous,
            placeholder: Placeholder(
                title: .localized(key: "TITLE", arguments: ["x"]), body: .localized(key: "BODY"))
        ).seal(json: #"{"aps":{"alert":"b"}}"#.utf8, for: device.publicKey)
        let shown = open(try DeliveredNotification(json: push.payload)) {
            $0.strings = Self.strings
        }
        #expect(
            [shown.content.title, shown.content.subtitle, shown.content.body] == ["", "", "b"])
    }

    @Test("A localized text that is empty leads to the fallback")
    func localizedTextThatIsEmptyLeadsToTheFallback()
        throws
    {
        let shown = try presented(#"{"aps":{"alert":{"loc-key":"BLANK","loc-args":[""]}}}"#)
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .noAlertText)
    }

    @Test("A table without the key keeps the text") func tableWithoutTheKeyKeepsTheText() throws {
        let shown = try presented(
            #"{"aps":{"alert":{"loc-key":"MISSING","body":"b","title-loc-key":"T"}}}"#)
        #expect([shown.content.title, shown.content.body] == ["T", "b"])
        #expect(shown.outcome.failure == nil)
    }
}

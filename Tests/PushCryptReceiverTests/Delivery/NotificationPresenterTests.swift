import Foundation
import PushCryptTesting
import Testing

@Suite struct NotificationPresenterTests {
    private let device: RecipientPrivateKey
    private let opener: Opener

    init() throws {
        device = try TestKeys.device()
        opener = Opener(keys: InMemoryKeyStore([device]), accepting: .anyone)
    }

    private func sealed(_ json: String, type: PushType = .alert) throws -> DeliveredNotification {
        let push = try Sealer(.anonymous).seal(json: json.utf8, for: device.publicKey, headers: APNsHeaders(type))
        return try DeliveredNotification(json: push.payload)
    }

    @Test func anOpenedMessageIsShown() throws {
        let shown = NotificationPresenter(opener).present(try sealed(#"{"aps":{"alert":{"title":"t","body":"b"}}}"#))
        #expect(shown.content.title == "t")
        #expect(shown.content.body == "b")
        #expect(shown.outcome.failure == nil)
    }

    @Test func anUnsealedPayloadShowsTheFallback() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":{"title":"evil","body":"evil"}}}"#.utf8))
        let shown = NotificationPresenter(opener).present(plain)
        #expect(shown.content.title == "")
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .notSealed)
    }

    @Test func anUnsealedPayloadIsShownWhereTheAppAllowsIt() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":{"title":"t","body":"b"}}}"#.utf8))
        let shown = NotificationPresenter(opener, plaintext: .allow).present(plain)
        #expect(shown.content.title == "t")
        guard case .plaintext = shown.outcome else {
            Issue.record("the outcome is \(shown.outcome)")
            return
        }
    }

    @Test func toAllowPlaintextIsNotToAllowAWrongEnvelope() throws {
        let wrong = try DeliveredNotification(json: Array(#"{"aps":{"alert":"evil"},"ENCRYPTED_DATA":"AA"}"#.utf8))
        let shown = NotificationPresenter(opener, plaintext: .allow).present(wrong)
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .unsupportedVersion)
    }

    @Test func theFallbackMayBeLocalised() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":"x"}}"#.utf8))
        #expect(
            NotificationPresenter(opener, fallback: FallbackText("(Verschlüsselt)")).present(plain).content.body
                == "(Verschlüsselt)")
        #expect(FallbackText("").body == "(Encrypted)")
    }

    @Test func theFallbackHasNoAttachments() throws {
        var content = NotificationContent(title: "t", body: "b")
        content.attachments = [NotificationAttachment(identifier: "1", url: URL(fileURLWithPath: "/a.png"))]
        content.badge = 3
        let shown = NotificationPresenter(opener)
            .present(DeliveredNotification(content: content, userInfo: ["aps": ["alert": "b"]]))
        #expect(shown.content.attachments.isEmpty)
        #expect(shown.content.badge == 3)
    }

    @Test func allowedPlaintextWithoutATextIsNotShownEmpty() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"badge":1}}"#.utf8))
        let shown = NotificationPresenter(opener, plaintext: .allow).present(plain)
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .notSealed)
    }

    @Test func whatOpensWithoutATextIsNotShownEmpty() throws {
        // A VoIP payload needs no text; delivered as an alert, it has none to show.
        let shown = NotificationPresenter(opener).present(try sealed(#"{"aps":{},"call":1}"#, type: .voip))
        #expect(shown.content.body == "(Encrypted)")
        #expect(shown.outcome.failure?.code == .noAlertText)
    }

    @Test func userInfoMayStaySealed() throws {
        let delivered = try sealed(#"{"aps":{"alert":"b"},"k":1}"#)
        #expect(
            NotificationPresenter(opener, keepsUserInfoSealed: true).present(delivered).content.userInfo == .asDelivered
        )
        #expect(NotificationPresenter(opener).present(delivered).content.userInfo != .asDelivered)
    }
}

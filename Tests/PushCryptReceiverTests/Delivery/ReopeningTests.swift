import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptReceiver

/// What could not be opened when it came, once more.
@Suite struct ReopeningTests {
    private let device: RecipientPrivateKey
    private let locked = TestKeyStore(.failure(PushCryptError(.deviceLocked, "Locked.")))
    private let replayGuard = InMemoryReplayGuard()

    init() throws {
        device = try TestKeys.device()
    }

    private func presenter(
        _ keys: (any KeyStore)? = nil, keepsSealed: Bool = false,
        plaintext: NotificationOpener.UnsealedPayloads = .refuse,
        fallback: FallbackText = .standard
    ) -> NotificationOpener {
        NotificationOpener(
            Opener(keys: keys ?? InMemoryKeyStore([device]), senderPolicy: .anyone, replayGuard: replayGuard),
            fallback: fallback, plaintext: plaintext, keepsUserInfoSealed: keepsSealed)
    }

    private func payload(_ json: String = #"{"aps":{"alert":{"title":"t","body":"b"}},"k":1}"#) throws -> [UInt8] {
        try Sealer(.anonymous).seal(json: json.utf8, for: device.publicKey).payload
    }

    /// What the system has of a notification after it is shown: the content, and what it delivered or was given in its place.
    private func shown(_ presented: NotificationResult, of payload: [UInt8]) throws -> DeliveredNotification {
        let userInfo: [AnyHashable: Any] =
            switch presented.content.userInfo {
            case .asDelivered: try systemDictionary(payload)
            case .original(let members): systemDictionary(members)
            }
        return DeliveredNotification(content: presented.content, userInfo: userInfo)
    }

    @Test(arguments: [false, true]) func theFallbackIsOpenedOnceTheKeysCanBeRead(keepsSealed: Bool) throws {
        let payload = try payload()
        let first = presenter(locked, keepsSealed: keepsSealed).present(try DeliveredNotification(json: payload))
        #expect(first.content.body == "(Encrypted)")
        let fallback = try shown(first, of: payload)
        #expect(presenter(locked, keepsSealed: keepsSealed).reopen(fallback) == nil, "Not yet.")
        let opened = try #require(presenter(keepsSealed: keepsSealed).reopen(fallback))
        #expect(opened.content.title == "t" && opened.content.body == "b")
        // In its place it is not taken for a fallback again, also by an app without a guard.
        var careless = presenter(keepsSealed: keepsSealed)
        careless.opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        #expect(careless.reopen(try shown(opened, of: payload)) == nil)
    }

    /// Where the extension did not run at all, the sender's placeholder is shown.
    @Test func aPlaceholderIsOpenedToo() throws {
        let delivered = try DeliveredNotification(json: payload())
        #expect(presenter().reopen(delivered)?.content.body == "b")
        // With a sealed userInfo nobody can tell it from what was opened.
        let another = DeliveredNotification(
            content: NotificationContent(title: "", body: "New message"), userInfo: try systemDictionary(payload()))
        #expect(presenter(keepsSealed: true).reopen(another) == nil)
    }

    @Test(arguments: [false, true]) func aRepetitionStaysTheFallback(keepsSealed: Bool) throws {
        let payload = try payload()
        let presenter = presenter(keepsSealed: keepsSealed)
        #expect(presenter.present(try DeliveredNotification(json: payload)).outcome.failure == nil)
        let repeated = presenter.present(try DeliveredNotification(json: payload))
        #expect(repeated.outcome.failure?.code == .replayed)
        #expect(presenter.reopen(try shown(repeated, of: payload)) == nil)
    }

    /// When it came, it was shown all the same; now it may be a repetition, and there is time.
    @Test func whatTheGuardCannotBeAskedAboutWaits() throws {
        struct Broken: ReplayGuard {
            func admit(_ id: MessageID, issuedAt: Date) throws { throw CocoaError(.fileReadNoPermission) }
        }
        let payload = try payload()
        _ = presenter().present(try DeliveredNotification(json: payload))
        let repeated = try shown(presenter().present(try DeliveredNotification(json: payload)), of: payload)
        var broken = presenter()
        broken.opener.replayGuard = Broken()
        #expect(broken.reopen(repeated) == nil)
        // What has never been opened waits for a guard that works.
        let waiting = try DeliveredNotification(json: self.payload())
        #expect(broken.reopen(waiting) == nil)
        #expect(presenter().reopen(waiting)?.content.body == "b")
    }

    @Test func whatIsNotSealedOrDoesNotOpenStays() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":"plain"}}"#.utf8))
        #expect(presenter().reopen(plain) == nil)
        #expect(presenter(plaintext: .allow).reopen(plain) == nil)
        let torn = try torn(payload())
        #expect(presenter().reopen(try DeliveredNotification(json: torn)) == nil)
        let silent = try payload(#"{"aps":{"alert":{"title":"","body":"x"}}}"#)
        #expect(
            presenter(InMemoryKeyStore([try TestKeys.device(.bob)])).reopen(try DeliveredNotification(json: silent))
                == nil)
    }

    /// Only the app's own fallback is one: a text of the user's that starts alike, or has a title, is not.
    @Test func aSealedUserInfoIsOpenedWhereTheFallbackIsShown() throws {
        let userInfo = try systemDictionary(payload())
        let presenter = presenter(keepsSealed: true, fallback: FallbackText("(Verschlüsselt)"))
        for content in [
            NotificationContent(title: "", body: "(Encrypted)"),
            NotificationContent(title: "a", body: "(Verschlüsselt)"),
            NotificationContent(title: "", body: "(Verschlüsselt) "),
        ] {
            #expect(presenter.reopen(DeliveredNotification(content: content, userInfo: userInfo)) == nil)
        }
        var content = NotificationContent(title: "", body: "(Verschlüsselt)")
        content.subtitle = "a"
        #expect(presenter.reopen(DeliveredNotification(content: content, userInfo: userInfo)) == nil)
        content.subtitle = ""
        #expect(presenter.reopen(DeliveredNotification(content: content, userInfo: userInfo))?.content.body == "b")
    }
}

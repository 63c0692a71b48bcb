import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Displayed notifications that are opened again.
@Suite struct ReopeningTests {
    private let device: RecipientPrivateKey
    private let locked = TestKeyStore(.failure(PushCryptError(.deviceLocked, "Locked.")))
    private let replayGuard = InMemoryReplayGuard()
    private let time = TestClock(Date())

    init() throws {
        device = try TestKeys.device()
    }

    private func notificationOpener(
        _ keys: (any KeyStore)? = nil, keepsSealed: Bool = false,
        unsealedPayloads: UnsealedPayloads = .reject,
        fallback: FallbackText = .standard
    ) -> NotificationOpener {
        NotificationOpener(
            Opener(
                keys: keys ?? InMemoryKeyStore([device]), senderPolicy: .anyone, replayGuard: replayGuard, time: time),
            fallback: fallback, unsealedPayloads: unsealedPayloads, keepsUserInfoSealed: keepsSealed)
    }

    private func payload(_ json: String = #"{"aps":{"alert":{"title":"t","body":"b"}},"k":1}"#) throws -> [UInt8] {
        try Sealer(.anonymous).seal(json: json.utf8, for: device.publicKey).payload
    }

    /// Returns a displayed notification: the content, and the delivered dictionary or the one that replaced it.
    private func shown(_ result: NotificationResult, of payload: [UInt8]) throws -> DeliveredNotification {
        let userInfo: [AnyHashable: Any] =
            if let members = result.content.originalPayload {
                systemDictionary(members)
            } else {
                try systemDictionary(payload)
            }
        return DeliveredNotification(content: result.content, userInfo: userInfo)
    }

    @Test("The fallback is opened when the keys can be read", arguments: [false, true])
    func fallbackIsOpenedWhenTheKeysCanBeRead(keepsSealed: Bool) throws {
        let payload = try payload()
        let first = notificationOpener(locked, keepsSealed: keepsSealed).open(try DeliveredNotification(json: payload))
        #expect(first.content.body == "(Encrypted)")
        let fallback = try shown(first, of: payload)
        #expect(notificationOpener(locked, keepsSealed: keepsSealed).reopen(fallback) == nil, "Still locked.")
        let opened = try #require(notificationOpener(keepsSealed: keepsSealed).reopen(fallback))
        #expect(opened.content.title == "t" && opened.content.body == "b")
        // The replacement isn't a fallback, also for an app without a guard.
        var careless = notificationOpener(keepsSealed: keepsSealed)
        careless.opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        #expect(careless.reopen(try shown(opened, of: payload)) == nil)
    }

    /// The system displays the sender's placeholder if the extension didn't run.
    @Test("A placeholder is opened") func placeholderIsOpened() throws {
        let delivered = try DeliveredNotification(json: payload())
        #expect(notificationOpener().reopen(delivered)?.content.body == "b")
        // With a sealed userInfo, the placeholder can't be distinguished from an original.
        let another = DeliveredNotification(
            content: NotificationContent(title: "", body: "New message"), userInfo: try systemDictionary(payload()))
        #expect(notificationOpener(keepsSealed: true).reopen(another) == nil)
    }

    @Test("A replayed message stays as it is", arguments: [false, true]) func replayedMessageStaysAsItIs(
        keepsSealed: Bool
    ) throws {
        let payload = try payload()
        let notificationOpener = notificationOpener(keepsSealed: keepsSealed)
        #expect(notificationOpener.open(try DeliveredNotification(json: payload)).outcome.failure == nil)
        time.advance(by: 3601)
        let repeated = notificationOpener.open(try DeliveredNotification(json: payload))
        #expect(repeated.outcome.failure?.code == .replayed)
        #expect(notificationOpener.reopen(try shown(repeated, of: payload)) == nil)
    }

    /// The message may be a repeated one, and can wait.
    @Test("A message waits if the replay guard fails") func messageWaitsIfTheReplayGuardFails() throws {
        struct Broken: ReplayGuard {
            func admit(_ message: GuardedMessage, now: Date) throws -> ReplayGuardAnswer {
                throw CocoaError(.fileReadNoPermission)
            }
        }
        let payload = try payload()
        _ = notificationOpener().open(try DeliveredNotification(json: payload))
        let repeated = try shown(notificationOpener().open(try DeliveredNotification(json: payload)), of: payload)
        var broken = notificationOpener()
        broken.opener.replayGuard = Broken()
        #expect(broken.reopen(repeated) == nil)
        // A message that was never opened waits for a working guard.
        let waiting = try DeliveredNotification(json: self.payload())
        #expect(broken.reopen(waiting) == nil)
        #expect(notificationOpener().reopen(waiting)?.content.body == "b")
    }

    @Test("A message that isn't sealed or doesn't open stays as it is")
    func messageThatIsntSealedOrDoesntOpenStaysAsItIs() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":"plain"}}"#.utf8))
        #expect(notificationOpener().reopen(plain) == nil)
        #expect(notificationOpener(unsealedPayloads: .allow).reopen(plain) == nil)
        let torn = try torn(payload())
        #expect(notificationOpener().reopen(try DeliveredNotification(json: torn)) == nil)
        let silent = try payload(#"{"aps":{"alert":{"title":"","body":"x"}}}"#)
        #expect(
            notificationOpener(InMemoryKeyStore([try TestKeys.device(.bob)])).reopen(
                try DeliveredNotification(json: silent))
                == nil)
    }

    @Test("With a sealed userInfo only the fallback is opened") func withASealedUserInfoOnlyTheFallbackIsOpened() throws
    {
        let userInfo = try systemDictionary(payload())
        let notificationOpener = notificationOpener(keepsSealed: true, fallback: FallbackText("(Verschlüsselt)"))
        for content in [
            NotificationContent(title: "", body: "(Encrypted)"),
            NotificationContent(title: "a", body: "(Verschlüsselt)"),
            NotificationContent(title: "", body: "(Verschlüsselt) "),
        ] {
            #expect(notificationOpener.reopen(DeliveredNotification(content: content, userInfo: userInfo)) == nil)
        }
        var content = NotificationContent(title: "", body: "(Verschlüsselt)")
        content.subtitle = "a"
        #expect(notificationOpener.reopen(DeliveredNotification(content: content, userInfo: userInfo)) == nil)
        content.subtitle = ""
        #expect(
            notificationOpener.reopen(DeliveredNotification(content: content, userInfo: userInfo))?.content.body == "b")
    }
}

import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Displayed notifications that are opened again.
@Suite(.ownThread) struct ReopeningTests {
    private let device: RecipientPrivateKey
    private let locked = TestKeyStore(.failure(PushCryptError(.deviceLocked, "Locked.")))
    private let scratch: Scratch
    private let time = TestClock(Date())

    init() throws {
        device = try TestKeys.device()
        scratch = try Scratch()
    }

    /// Returns the inbox of a new process, without secrets.
    private func inbox(
        _ keys: (any KeyStore)? = nil, keepsSealed: Bool = false,
        _ change: (inout PushConfiguration) -> Void = { _ in }
    ) -> PushInbox {
        var configuration = PushConfiguration(
            keys: keys ?? InMemoryKeyStore([device]), senderPolicy: .anyone)
        configuration.keepsUserInfoSealed = keepsSealed
        configuration.directory = scratch.path
        change(&configuration)
        return PushInbox(configuration, clock: time)
    }

    private func payload(_ json: String = #"{"aps":{"alert":{"title":"t","body":"b"}},"k":1}"#)
        throws -> [UInt8]
    {
        try Sealer(.anonymous).seal(json: json.utf8, for: device.publicKey).payload
    }

    /// Returns a displayed notification: the content, and the delivered dictionary or the one that
    /// replaced it.
    private func shown(_ result: Presented, of payload: [UInt8]) throws -> DeliveredNotification {
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
        let first = inbox(locked, keepsSealed: keepsSealed).open(
            try DeliveredNotification(json: payload))
        #expect(first.content.body == "(Encrypted)")
        let fallback = try shown(first, of: payload)
        #expect(inbox(locked, keepsSealed: keepsSealed).reopen(fallback) == nil, "Still locked.")
        let opened = try #require(inbox(keepsSealed: keepsSealed).reopen(fallback))
        #expect(opened.content.title == "t" && opened.content.body == "b")
        // The replacement isn't a fallback, also for an app without a guard.
        let careless = inbox(keepsSealed: keepsSealed) { $0.directory = nil }
        #expect(careless.reopen(try shown(opened, of: payload)) == nil)
    }

    /// The system displays the sender's placeholder if the extension didn't run.
    @Test("A placeholder is opened") func placeholderIsOpened() throws {
        let delivered = try DeliveredNotification(json: payload())
        #expect(inbox().reopen(delivered)?.content.body == "b")
        // With a sealed userInfo, the placeholder can't be distinguished from an original.
        let another = DeliveredNotification(
            content: NotificationContent(title: "", body: "New message"),
            userInfo: try systemDictionary(payload()))
        #expect(inbox(keepsSealed: true).reopen(another) == nil)
    }

    @Test("A replayed message stays as it is", arguments: [false, true])
    func replayedMessageStaysAsItIs(
        keepsSealed: Bool
    ) throws {
        let payload = try payload()
        let inbox = inbox(keepsSealed: keepsSealed)
        #expect(inbox.open(try DeliveredNotification(json: payload)).outcome.failure == nil)
        time.advance(by: 3601)
        let repeated = inbox.open(try DeliveredNotification(json: payload))
        #expect(repeated.outcome.failure?.code == .replayed)
        #expect(inbox.reopen(try shown(repeated, of: payload)) == nil)
    }

    /// The message may be a repeated one, and can wait.
    @Test("A message waits if the replay guard fails") func messageWaitsIfTheReplayGuardFails()
        throws
    {
        let payload = try payload()
        _ = inbox().open(try DeliveredNotification(json: payload))
        let repeated = try shown(
            inbox().open(try DeliveredNotification(json: payload)), of: payload)
        let broken = inbox { $0.directory = scratch.file("missing") }
        #expect(broken.reopen(repeated) == nil)
        // A message that was never opened waits for a working guard.
        let waiting = try DeliveredNotification(json: self.payload())
        #expect(broken.reopen(waiting) == nil)
        #expect(inbox().reopen(waiting)?.content.body == "b")
    }

    @Test("A message that isn't sealed or doesn't open stays as it is")
    func messageThatIsntSealedOrDoesntOpenStaysAsItIs() throws {
        let plain = try DeliveredNotification(json: Array(#"{"aps":{"alert":"plain"}}"#.utf8))
        #expect(inbox().reopen(plain) == nil)
        #expect(inbox(nil, { $0.unsealedPayloads = .allow }).reopen(plain) == nil)
        let torn = try torn(payload())
        #expect(inbox().reopen(try DeliveredNotification(json: torn)) == nil)
        let silent = try payload(#"{"aps":{"alert":{"title":"","body":"x"}}}"#)
        #expect(
            inbox(InMemoryKeyStore([try TestKeys.device(.bob)])).reopen(
                try DeliveredNotification(json: silent))
                == nil)
    }

    @Test("With a sealed userInfo only the fallback is opened")
    func withASealedUserInfoOnlyTheFallbackIsOpened() throws {
        let userInfo = try systemDictionary(payload())
        let inbox = inbox(keepsSealed: true) { $0.fallback = FallbackText("(Verschlüsselt)") }
        for content in [
            NotificationContent(title: "", body: "(Encrypted)"),
            NotificationContent(title: "a", body: "(Verschlüsselt)"),
            NotificationContent(title: "", body: "(Verschlüsselt) "),
        ] {
            #expect(
                inbox.reopen(DeliveredNotification(content: content, userInfo: userInfo)) == nil)
        }
        var content = NotificationContent(title: "", body: "(Verschlüsselt)")
        content.subtitle = "a"
        #expect(inbox.reopen(DeliveredNotification(content: content, userInfo: userInfo)) == nil)
        content.subtitle = ""
        #expect(
            inbox.reopen(DeliveredNotification(content: content, userInfo: userInfo))?.content.body
                == "b")
    }
}

extension PushInbox {
    /// Opens one displayed notification again, and waits.
    func reopen(_ notification: DeliveredNotification, list: any DeliveredList = NoList())
        -> Presented?
    {
        waiting { [self] in
            await reopen([(notification, NeutralHost(notification, list: list))], list)[0]
        }
    }
}

/// An empty list of displayed notifications.
struct NoList: DeliveredList {
    func remove(_ identifiers: [String]) {}

    func identifiers() async -> Set<String> { [] }

    func setBadge(_ count: Int) async {}
}

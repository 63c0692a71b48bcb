// Only stand-ins of notifications and of PushKit's payloads can be created by a test.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import PushKit
import TestSupport
import Testing
import UserNotifications

/// Stands in for ActivityKit's protocol of the same name.
protocol ActivityAttributes: Codable {
    associatedtype ContentState: Codable, Hashable
}

struct Order: Codable, Hashable { let id: Int }
struct OrderState: Codable, Hashable { let courier: String, minutes: Int }

struct Campaign: Decodable {
    let title: String
    let text: String
    let image: URL?

    enum CodingKeys: String, CodingKey {
        case title = "RW_push_payload_TT"
        case text = "RW_push_payload_BD"
        case image = "RW_push_payload_IM"
    }
}

extension ReadingTests {
    nonisolated struct OrderAttributes: ActivityAttributes {
        typealias ContentState = SealedActivityState<OrderState>

        let order: SealedActivityAttributes<Order>

        init(order: SealedActivityAttributes<Order>) { self.order = order }
        init(from decoder: any Decoder) throws {
            order = try SealedActivityAttributes(from: decoder)
        }
        func encode(to encoder: any Encoder) throws { try order.encode(to: encoder) }
    }
}

/// The payloads that an app reads, and the table and the JSON of the article about opening a push.
@Suite(.ownThread) struct ReadingTests {
    private let page: Document
    private let device: RecipientPrivateKey
    private let server: SigningKey
    private let scratch: Scratch
    private let opener: Opener
    private let json =
        #"{"aps":{"alert":{"title":"Order","body":"In transit"}},"order":{"id":7},"link":"app://orders/7"}"#

    init() throws {
        page = try Document(
            "Sources/PushCryptReceiver/PushCryptReceiver.docc/OpeningAPushInYourApp.md")
        device = try TestKeys.device()
        server = try TestKeys.sender()
        scratch = try Scratch()
        opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
    }

    private func userInfo(_ json: String, _ type: PushType = .alert) throws -> [AnyHashable: Any] {
        let push = try Sealer(.signed(by: server)).seal(
            json: json.utf8, for: device.publicKey, headers: APNsHeaders(type))
        return try SystemDelivery.userInfo(push.payload)
    }

    private func delivered(_ userInfo: [AnyHashable: Any], _ inbox: PushInbox) throws
        -> UNNotification
    {
        try SystemDelivery.notification(SystemDelivery.request(userInfo)) {
            inbox.handle($0, contentHandler: $1)
        }
    }

    private var configuration: PushConfiguration {
        PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
    }

    // MARK: Notifications

    private static func order(_ notification: UNNotification, _ inbox: PushInbox) throws -> Order {
        let reader = try inbox.read(notification)
        let order = try reader.custom("order", as: Order.self)
        #expect(try reader.content(strings: BundleStringTable.containingApp).title == "Order")
        return order
    }

    /// Returns the link that a tap follows.
    private static func link(_ notification: UNNotification, _ inbox: PushInbox) throws -> URL? {
        let response = UNNotificationResponse(
            notification: notification, actionIdentifier: UNNotificationDefaultActionIdentifier)
        var followed: URL?
        func follow(_ link: URL) { followed = link }
        let tap = inbox.read(response)
        if let failure = tap.failure { throw failure }
        if tap.isTap, let link = try tap.reader?.customIfPresent("link", as: URL.self) {
            follow(link)
        }
        return followed
    }

    @Test("The app reads what the extension has left sealed, as often as it likes")
    func sealedUserInfoIsRead() throws {
        // The extension and the app share a guard, which the reader ignores.
        var configuration = configuration
        configuration.directory = scratch.path
        let inbox = PushInbox(configuration)
        let notification = try delivered(try userInfo(json), inbox)
        #expect(notification.request.content.body == "In transit")
        #expect(notification.request.content.userInfo["ENCRYPTED_DATA"] != nil)
        #expect(try Self.order(notification, inbox).id == 7)
        for _ in 1...2 {
            #expect(try Self.link(notification, inbox)?.absoluteString == "app://orders/7")
        }
    }

    @Test("A payload that was never sealed is rejected")
    func unsealedPayloadIsRejected() throws {
        // The extension shows its fallback, and the app finds no forged member.
        let inbox = PushInbox(configuration)
        let notification = try delivered(try SystemDelivery.userInfo(json.utf8), inbox)
        #expect(notification.request.content.body == "(Encrypted)")
        #expect(notification.request.content.userInfo["link"] == nil)
        #expect(throws: PushCryptError(.notSealed, "")) { try Self.order(notification, inbox) }
        #expect(throws: PushCryptError(.notSealed, "")) { try Self.link(notification, inbox) }
    }

    @Test("The author of what the app reads is the page's")
    func policiesAreThePages() throws {
        let rows = page.table("extension | app | your app reads | author")
        let policies = rows.map { "\(!$0[0].contains("false")) \($0[1].contains(".reject"))" }
        #expect(policies == ["true true", "true false", "false false", "false true"])
        for row in rows {
            let keeps = !row[0].contains("false")
            let policy: UnsealedPayloads = row[1].contains(".reject") ? .reject : .allow
            var configuration = configuration
            configuration.keepsUserInfoSealed = keeps
            let notification = try delivered(try userInfo(json), PushInbox(configuration))
            func read(_ userInfo: [AnyHashable: Any]) throws -> Bool {
                let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: policy)
                #expect(try reader.custom("order", "id", as: Int.self) == 7)
                return reader.isOpened
            }
            if !keeps, policy == .reject {
                #expect(row[2].contains("`not-sealed`"))
                #expect(throws: PushCryptError(.notSealed, "")) {
                    try read(notification.request.content.userInfo)
                }
            } else {
                #expect(try read(notification.request.content.userInfo) == keeps)
            }
            let forged = try SystemDelivery.userInfo(json.utf8)
            if policy == .allow {
                #expect(row[3].hasSuffix("anyone"))
                #expect(try !read(forged))
            } else {
                #expect(throws: PushCryptError(.notSealed, "")) { try read(forged) }
            }
        }
    }

    @Test("The app's opener reads the keyring's file")
    func openerReadsTheKeyring() throws {
        let keyringPath = scratch.write(Array(try Document("Keys/test-device.jwks").text.utf8))
        let serverKeys = [server.publicKey.jwk]
        let opener = Opener(
            keys: KeyringFileStore(path: keyringPath), senderPolicy: .signed(by: serverKeys))
        let device = try RecipientPublicKey(
            parsing: try Document("Keys/test-device.public.jwk").text)
        let push = try Sealer(.signed(by: server)).seal(json: json.utf8, for: device)
        #expect(try opener.open(json: push.payload).payload == Array(json.utf8))
    }

    // MARK: Pushes that no extension sees

    private func guardedOpener() -> Opener {
        let (keys, serverKeys) = (InMemoryKeyStore([device]), [server.publicKey.jwk])
        let guardPath = scratch.file("background.ids")
        let guarded = Opener(
            keys: keys, senderPolicy: .signed(by: serverKeys),
            replayGuard: FileReplayGuard(path: guardPath))
        return guarded
    }

    @Test("The app acts on a background push once")
    func backgroundPushIsHandledOnce() async throws {
        var configuration = configuration
        configuration.directory = scratch.path
        let inbox = PushInbox(configuration)
        var changed: [String] = []
        func synchronize(_ names: [String]) { changed += names }
        nonisolated(nonsending) func handle(_ userInfo: [AnyHashable: Any]) async throws {
            guard case .message(let reader) = try await inbox.open(userInfo) else { return }
            synchronize(try reader.custom("changed", as: [String].self))
        }
        let json = #"{"aps":{"content-available":1},"changed":["a","b"]}"#
        let push = try userInfo(json, .background)
        try await handle(push)
        await #expect(throws: PushCryptError(.replayed, "")) { try await handle(push) }
        let unsealed = try SystemDelivery.userInfo(json.utf8)
        await #expect(throws: PushCryptError(.notSealed, "")) { try await handle(unsealed) }
        #expect(changed == ["a", "b"])
    }

    @Test("Every VoIP push is reported as a call, and a forged one is ended")
    func everyVoIPPushIsReported() throws {
        var (reported, ended): ([UUID: String], [UUID]) = ([:], [])
        func report(call: UUID, from caller: String) { reported[call] = caller }
        func end(call: UUID) { ended.append(call) }
        func handle(_ payload: PKPushPayload) {
            let guarded = guardedOpener()
            do {
                let reader = try PayloadReader(
                    guarded.open(userInfo: payload.dictionaryPayload, as: [.voip]))
                report(
                    call: try reader.custom("call", as: UUID.self),
                    from: try reader.custom("caller", as: String.self))
            } catch {
                let unknown = UUID()
                report(call: unknown, from: "Unknown caller")
                end(call: unknown)
            }
        }
        let id = UUID()
        let json = #"{"call":"\#(id.uuidString)","caller":"Anne"}"#
        for userInfo in [try userInfo(json, .voip), try SystemDelivery.userInfo(json.utf8)] {
            handle(PKPushPayload(type: .voIP, dictionaryPayload: userInfo))
        }
        #expect(reported.count == 2 && reported[id] == "Anne")
        #expect(
            ended.count == 1 && ended.first != id
                && ended.first.flatMap { reported[$0] } == "Unknown caller")
    }

    // MARK: Accounts

    @Test("A push names its account, and a removed account shows the app's text")
    func severalAccountsAreRead() async throws {
        let bankKeys = TestKeyringStore()
        let (shopKeys, shopServer) = (InMemoryKeyStore([device]), server.publicKey)
        let bank = try TestKeys.sender(.mallory)
        let bankServer = bank.publicKey
        var configuration = PushConfiguration(accounts: [
            PushAccount("shop", keys: shopKeys, senderPolicy: .signed(by: shopServer)),
            PushAccount("bank", keys: bankKeys, senderPolicy: .signed(by: bankServer)),
        ])
        configuration.directory = scratch.path
        configuration.registration.deviceID = { "device" }
        configuration.registration.directory = { [scratch] _ in scratch.path }
        let inbox = PushInbox(configuration)
        var shown: [String] = []
        func show(_ name: String) { shown.append(name) }
        func read(_ userInfo: [AnyHashable: Any]) throws {
            let reader = try inbox.read(
                DeliveredNotification(content: NotificationContent(), userInfo: userInfo))
            show(reader.account ?? "")
        }
        try await inbox.register(DeviceToken("01"), account: "bank") { _ in .accepted(date: nil) }
        let key = try #require(try bankKeys.keyring()).primary.key.publicKey
        func toBank(by sender: SigningKey) throws -> [AnyHashable: Any] {
            try SystemDelivery.userInfo(
                Sealer(.signed(by: sender)).seal(json: json.utf8, for: key).payload)
        }
        try read(try userInfo(json))
        try read(try toBank(by: bank))
        #expect(throws: PushCryptError(.wrongAccount, "")) { try read(try toBank(by: server)) }
        try await inbox.removeAccount("bank")
        #expect(throws: PushCryptError(.removedAccount, "")) { try read(try toBank(by: bank)) }
        #expect(shown == ["shop", "bank"])
    }

    // MARK: Custom members

    @Test("A member is read as a dictionary or as JSON in a string")
    func nestedJSONIsRead() throws {
        func campaign(_ json: String) throws -> Campaign {
            let reader = try PayloadReader(
                userInfo: try userInfo(json), opener: opener, unsealed: .reject)
            let campaign = try reader.custom("RW_push_payload_WP", as: Campaign.self)
            return campaign
        }
        let example = try #require(page.blocks("json").first)
        let first = try campaign(example)
        #expect(first.title == "Sale" && first.text == "Until Sunday" && first.image == nil)
        let text = try #require(
            try JSONValue(parsing: example.utf8)["RW_push_payload_WP"]?.stringValue)
        #expect(
            try campaign(#"{"aps":{"alert":"Sale"},"RW_push_payload_WP":\#(text)}"#).text
                == "Until Sunday")
        let incomplete =
            #"{"aps":{"alert":"Sale"},"RW_push_payload_WP":"{\"RW_push_payload_TT\":\"Sale\"}"}"#
        let error = #expect(throws: PushCryptError.self) { try campaign(incomplete) }
        #expect(error?.code == .missingValue)
        #expect(error?.reason.contains("\"RW_push_payload_WP.RW_push_payload_BD\"") == true)
    }

    // MARK: Live Activities

    private struct Context { let state: OrderAttributes.ContentState }

    /// Stands in for SwiftUI's view of the same name.
    private struct Text {
        let text: String

        init(_ text: String) { self.text = text }
    }

    /// Stands in for SwiftUI's `ViewBuilder`.
    @resultBuilder private enum Views {
        static func buildBlock(_ views: Text...) -> [String] { views.map(\.text) }
    }

    @Test(
        "The widget opens its state and attributes, and shows neither a stranger's nor an unsealed state"
    )
    func widgetOpensStateAndAttributes() throws {
        let json = """
            {"aps":{"timestamp":1767225600,"event":"start","attributes-type":"OrderAttributes","attributes":{"id":7},\
            "content-state":{"courier":"Anne","minutes":12},"alert":{"title":{"loc-key":"ORDER_STARTED"}}}}
            """
        let aps = try #require(try userInfo(json, .liveActivity)["aps"] as? [String: Any])
        func decode<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value {
            let data = try JSONSerialization.data(withJSONObject: try #require(aps[key]))
            #expect(!String(decoding: data, as: UTF8.self).contains("\"Anne\""))
            return try JSONDecoder().decode(type, from: data)
        }
        let attributes = try decode(OrderAttributes.self, "attributes")
        #expect(try attributes.order.value(opener: opener, unsealed: .reject).id == 7)
        // The system keeps what it has decoded, and decodes it again.
        let kept = try JSONDecoder().decode(
            OrderAttributes.self, from: JSONEncoder().encode(attributes))
        #expect(kept.order == attributes.order)

        var failures = 0
        func log(_: any Error) { failures += 1 }
        func text(of state: SealedActivityState<OrderState>, _ opener: Opener) -> String {
            do {
                let order = try state.value(opener: opener, unsealed: .reject)
                return "\(order.courier), \(order.minutes) min"
            } catch {
                log(error)
                return "—"
            }
        }
        // A widget's body is a result builder, which can't contain do and catch.
        @Views func draw(_ context: Context, _ opener: Opener) -> [String] {
            Text(text(of: context.state, opener))
            Text("")
        }
        let context = Context(state: try decode(OrderAttributes.ContentState.self, "content-state"))
        let stranger = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [VerificationKey]()))
        var shown = [opener, opener, stranger].map { draw(context, $0)[0] }
        shown += draw(Context(state: .open(OrderState(courier: "Mallory", minutes: 1))), opener)
            .dropLast()
        #expect(shown == ["Anne, 12 min", "Anne, 12 min", "—", "—"])
        #expect(failures == 2)
    }
}
#endif

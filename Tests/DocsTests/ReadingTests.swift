// Only stand-ins can be made by a test: the real objects come from the system.
#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import PushKit
import Testing
import UserNotifications

/// What the page about reading shows is what is compiled, and what it says happens is what happens.
@Suite struct ReadingTests {
    private let page: Document
    private let device: RecipientPrivateKey
    private let server: SigningKey
    private let opener: Opener

    init() throws {
        page = try Document("Docs/Reading.md")
        device = try TestKeys.device()
        server = try TestKeys.sender()
        opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
    }

    /// A payload as the system hands it over, sealed.
    private func userInfo(_ json: String, _ type: PushType = .alert) throws -> [AnyHashable: Any] {
        let push = try Sealer(.signed(by: server)).seal(
            json: json.utf8, for: device.publicKey, headers: APNsHeaders(type))
        return try dictionary(push.data)
    }

    private func dictionary(_ json: Data) throws -> [AnyHashable: Any] {
        try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    /// A notification after the page's extension has handled it.
    private func delivered(
        _ userInfo: [AnyHashable: Any], _ handler: NotificationHandler
    ) throws -> UNNotification {
        let content = UNMutableNotificationContent()
        content.body = "placeholder"
        content.userInfo = userInfo
        let request = UNNotificationRequest(identifier: "1", content: content, trigger: nil)
        let handled = LockedValue<Handled?>(nil)
        let done = DispatchSemaphore(value: 0)
        handler.handle(request) { content in
            let content = Handled(content: content)
            handled.withLock { $0 = content }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 10) == .success)
        let result = try #require(handled.withLock { $0 })
        return UNNotification(
            date: Date(), request: UNNotificationRequest(identifier: "1", content: result.content, trigger: nil))
    }

    /// A tap on a notification.
    private func response(to notification: UNNotification) -> UNNotificationResponse {
        UNNotificationResponse(
            notification: notification, actionIdentifier: UNNotificationDefaultActionIdentifier)
    }

    private struct Handled: @unchecked Sendable {
        let content: UNNotificationContent
    }

    @Test func theCodeIsTheCodeThatIsCompiled() throws {
        #expect(try page.blocks("swift") == Document.snippets("ReadingSnippet"))
    }

    @Test func thePageHasTheFiveSituations() {
        let rows = page.table("situation | the reader takes | what is in it")
        let taken = ["notification", "response", "notification", "userInfo: userInfo", "payload"]
        #expect(rows.map { $0[1] } == taken.map { "`\($0)`" })
    }

    // MARK: Notifications

    private let order =
        #"{"aps":{"alert":{"title":"Order","body":"On its way"}},"order":{"id":7},"link":"app://orders/7"}"#

    @Test func theAppReadsWhatTheExtensionHasLeftSealed() throws {
        // The extension and the app may share a guard: the reader leaves it out.
        var opener = opener
        opener.replayGuard = InMemoryReplayGuard()
        let notification = try delivered(try userInfo(order), ReadingSnippet.handler(opener))
        #expect(notification.request.content.body == "On its way")
        #expect(notification.request.content.userInfo["ENCRYPTED_DATA"] != nil)
        #expect(try ReadingSnippet.foreground(notification, opener).id == 7)
        var followed: [URL] = []
        let response = response(to: notification)
        try ReadingSnippet.tap(response, opener) { followed.append($0) }
        try ReadingSnippet.tap(response, opener) { followed.append($0) }
        #expect(followed.map(\.absoluteString) == ["app://orders/7", "app://orders/7"])
        var shown: [String] = []
        try ReadingSnippet.contentExtension(notification, opener) { shown = [$0, $1] }
        #expect(shown == ["Order", "On its way"])
    }

    @Test func whatWasNeverSealedIsRefused() throws {
        let forged = try dictionary(Data(order.utf8))
        // The extension shows its fallback, and the forged members are still there.
        let notification = try delivered(forged, ReadingSnippet.handler(opener))
        #expect(notification.request.content.body == "(Encrypted)")
        #expect(notification.request.content.userInfo["link"] as? String == "app://orders/7")
        #expect(throws: PushCryptError(.notSealed, "")) { try ReadingSnippet.foreground(notification, opener) }
        #expect(throws: PushCryptError(.notSealed, "")) {
            try ReadingSnippet.tap(response(to: notification), opener) { _ in
                Issue.record("It was followed.")
            }
        }
    }

    /// The table of who has written what the app reads.
    @Test func thePoliciesAreWhatThePageSays() throws {
        let rows = page.table("the extension | the app | what the app reads | who has written it")
        #expect(
            rows.map { [$0[0], $0[1]] } == [
                ["`keepsUserInfoSealed: true`", "`unsealed: .refuse`"],
                ["`keepsUserInfoSealed: true`", "`unsealed: .accept`"], ["the default", "`unsealed: .accept`"],
                ["the default", "`unsealed: .refuse`"],
            ])
        let forged = try dictionary(Data(order.utf8))
        for row in rows {
            let keeps = row[0].contains("true")
            let policy: UnsealedPayloads = row[1].contains(".refuse") ? .refuse : .accept
            let handler = NotificationHandler(NotificationOpener(opener, keepsUserInfoSealed: keeps))
            let notification = try delivered(try userInfo(order), handler)
            func read(_ userInfo: [AnyHashable: Any]) throws -> Bool {
                let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: policy)
                #expect(try reader.custom("order", "id", as: Int.self) == 7)
                return reader.isOpened
            }
            if !keeps, policy == .refuse {
                #expect(row[2].contains("`not-sealed`"))
                #expect(throws: PushCryptError(.notSealed, "")) { try read(notification.request.content.userInfo) }
            } else {
                #expect(try read(notification.request.content.userInfo) == keeps)
            }
            if policy == .accept {
                #expect(row[3].hasSuffix("anybody"))
                #expect(try !read(forged))
            } else {
                #expect(throws: PushCryptError(.notSealed, "")) { try read(forged) }
            }
        }
    }

    @Test func theOpenerOfTheAppIsTheExtensions() throws {
        let path = ReadingSnippet.keyringPath
        defer { try? FileManager.default.removeItem(atPath: path) }
        let keyring = try Document("Keys/test-device.jwks").text
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(keyring.utf8), attributes: [.posixPermissions: 0o600])
        let device = try RecipientPublicKey(parsing: try Document("Keys/test-device.public.jwk").text)
        let push = try Sealer(.signed(by: server)).seal(json: order.utf8, for: device)
        let opened = try ReadingSnippet.opener([String(decoding: Self.jwk(of: server), as: UTF8.self)])
            .open(json: push.payload)
        #expect(opened.payload == Array(order.utf8))
    }

    private static func jwk(of key: SigningKey) -> [UInt8] { Array(key.publicKey.jwk.utf8) }

    // MARK: Pushes that no extension sees

    @Test func aBackgroundPushIsActedUponOnce() throws {
        let guarded = ReadingSnippet.guarded(InMemoryKeyStore([device]), [server.publicKey.jwk])
        let push = try userInfo(#"{"aps":{"content-available":1},"changed":["a","b"]}"#, .background)
        var changed: [String] = []
        try ReadingSnippet.background(push, guarded) { changed += $0 }
        #expect(throws: PushCryptError(.replayed, "")) {
            try ReadingSnippet.background(push, guarded) { changed += $0 }
        }
        #expect(changed == ["a", "b"])
        let forged = try dictionary(Data(#"{"aps":{"content-available":1},"changed":["c"]}"#.utf8))
        #expect(throws: PushCryptError(.notSealed, "")) {
            try ReadingSnippet.background(forged, guarded) { changed += $0 }
        }
    }

    @Test func everyVoIPPushIsReported() throws {
        let guarded = ReadingSnippet.guarded(InMemoryKeyStore([device]), [server.publicKey.jwk])
        let id = UUID()
        var reported: [(UUID, String)] = []
        var ended: [UUID] = []
        let payload = #"{"call":"\#(id.uuidString)","caller":"Anne"}"#
        for userInfo in [try userInfo(payload, .voip), try dictionary(Data(payload.utf8))] {
            ReadingSnippet.call(
                PKPushPayload(type: .voIP, dictionaryPayload: userInfo), guarded,
                tell: { reported.append(($0, $1)) }, hangUp: { ended.append($0) })
        }
        #expect(ended == reported.suffix(1).map(\.0))
        #expect(reported.map(\.1) == ["Anne", "Unknown caller"])
        #expect(reported.first?.0 == id && reported.last?.0 != id)
    }

    // MARK: Custom members

    private func reader(_ json: String) throws -> PayloadReader {
        try PayloadReader(userInfo: try userInfo(json), opener: opener, unsealed: .refuse)
    }

    @Test func theServicesExampleIsReadInBothForms() throws {
        let example = try #require(page.blocks("json").first)
        let campaign = try ReadingSnippet.campaign(try reader(example))
        #expect(campaign.title == "Sale" && campaign.text == "Until Sunday")
        #expect(campaign.image?.absoluteString == "https://example.com/sale.jpg")
        #expect(campaign.movie == nil && campaign.link == nil)
        let value = try JSONValue(parsing: example.utf8)
        let text = try #require(value["RW_push_payload_WP"]?.stringValue)
        let nested = #"{"aps":{"alert":"Sale"},"RW_push_payload_WP":\#(text)}"#
        #expect(try ReadingSnippet.campaign(try reader(nested)).text == "Until Sunday")
        #expect(try reader(example).custom("RW_push_payload_WP", "RW_push_payload_TT", as: String.self) == "Sale")
    }

    @Test func whatMustBeThereIsMissed() throws {
        let json = #"{"aps":{"alert":"Sale"},"RW_push_payload_WP":"{\"RW_push_payload_TT\":\"Sale\"}"}"#
        do {
            _ = try ReadingSnippet.campaign(try reader(json))
            Issue.record("It was read.")
        } catch let error as PushCryptError {
            #expect(error.code == .missingValue)
            #expect(error.reason.contains("\"RW_push_payload_WP.RW_push_payload_BD\""))
            #expect(page.text.contains("`missing-value` for `\"RW_push_payload_WP.RW_push_payload_BD\"`"))
        }
    }

    // MARK: Live Activities

    @Test func theWidgetOpensStateAndAttributes() throws {
        let json = """
            {"aps":{"timestamp":1767225600,"event":"start","attributes-type":"OrderAttributes","attributes":{"id":7},\
            "content-state":{"courier":"Anne","minutes":12},"alert":{"title":{"loc-key":"ORDER_STARTED"}}}}
            """
        let aps = try #require(try userInfo(json, .liveActivity)["aps"] as? [String: Any])
        func decode<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value {
            let data = try JSONSerialization.data(withJSONObject: try #require(aps[key]))
            #expect(!String(decoding: data, as: UTF8.self).contains("Anne"))
            return try JSONDecoder().decode(type, from: data)
        }
        let attributes = try decode(ReadingSnippet.OrderAttributes.self, "attributes")
        #expect(try attributes.order.value(opener: opener, unsealed: .refuse).id == 7)
        // The system keeps what it has decoded, and decodes it again.
        let kept = try JSONDecoder().decode(
            ReadingSnippet.OrderAttributes.self, from: JSONEncoder().encode(attributes))
        #expect(kept.order == attributes.order)

        let state = try decode(ReadingSnippet.OrderAttributes.ContentState.self, "content-state")
        var shown: [String] = []
        var failures = 0
        let stranger = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: []))
        for opener in [opener, opener, stranger] {
            ReadingSnippet.widget(
                ReadingSnippet.Context(state: state), opener, show: { shown.append($0) }, log: { _ in failures += 1 })
        }
        let open = ReadingSnippet.OrderAttributes.ContentState.open(
            ReadingSnippet.OrderState(courier: "Mallory", minutes: 1))
        ReadingSnippet.widget(
            ReadingSnippet.Context(state: open), opener, show: { shown.append($0) }, log: { _ in failures += 1 })
        #expect(shown == ["Anne, 12 min", "Anne, 12 min", "—", "—"])
        #expect(failures == 2)
    }
}
#endif

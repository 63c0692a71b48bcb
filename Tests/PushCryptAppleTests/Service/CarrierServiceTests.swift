import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// The extension behind each carrier: what the app and its framework find in `userInfo`.
@Suite(.ownThread) struct CarrierServiceTests {
    private let requests: Requests
    private let secrets: InMemorySecretsStore

    init() throws {
        requests = try Requests()
        secrets = try TestSecrets.store()
    }

    private func setting(_ carrier: Carrier, _ unsealed: UnsealedPayloads = .reject)
        -> TestService.Setting
    {
        TestService.Setting(
            keys: InMemoryKeyStore([requests.device]),
            senderPolicy: .signed(by: [requests.server.publicKey]),
            secrets: secrets, carrier: carrier, unsealedPayloads: unsealed)
    }

    /// Returns a sealed push as a carrier delivers it, with a member of an attacker.
    private func delivered(_ carrier: Carrier) throws -> [AnyHashable: Any] {
        let push = try Sealer(.signed(by: requests.server), carrier: carrier).seal(
            json: #"{"aps":{"alert":{"title":"Anna","body":"text"}},"order":7}"#,
            for: requests.device.publicKey)
        var userInfo: [AnyHashable: Any] = try CarrierStandIn(carrier).deliver(push)
        userInfo["link"] = "https://evil.example"
        return userInfo
    }

    /// Returns what the extension displays.
    private func shown(
        _ carrier: Carrier, _ userInfo: [AnyHashable: Any], configured: Carrier? = nil,
        keepingSealed: Bool = false,
        unsealed: UnsealedPayloads = .reject
    ) throws -> UNNotificationContent {
        var setting = setting(configured ?? carrier, unsealed)
        setting.keepsUserInfoSealed = keepingSealed
        let service = TestService(setting)
        let content = UNMutableNotificationContent()
        content.body = "New message"
        content.userInfo = userInfo
        let recorder = ContentRecorder()
        service.didReceive(
            UNNotificationRequest(identifier: "1", content: content, trigger: nil),
            withContentHandler: recorder.handler)
        return try #require(recorder.wait())
    }

    private func displayed(_ content: UNNotificationContent, _ carrier: Carrier)
        -> DeliveredNotification
    {
        DeliveredNotification(
            content: NotificationContent(content), userInfo: content.userInfo, identifier: "1",
            date: Date(),
            carrier: carrier)
    }

    private func members(_ value: Any?) -> [AnyHashable: Any]? { value as? [AnyHashable: Any] }

    @Test(
        "The app reads the original, and the framework finds its members",
        arguments: CarrierStandIn.carriers)
    func opened(_ carrier: Carrier) throws {
        let content = try shown(carrier, delivered(carrier))
        #expect(content.body == "text" && content.userInfo["link"] == nil)
        let notification = displayed(content, carrier)
        let reader = try setting(carrier).inbox.read(notification)
        #expect(reader.state == .asSealed)
        #expect(
            String(decoding: reader.json, as: UTF8.self)
                == #"{"aps":{"alert":{"body":"text","title":"Anna"}},"order":7}"#)
        switch carrier {
        case .firebase: #expect(content.userInfo["gcm.message_id"] as? String == "1767225600000000")
        case .expo:
            #expect(members(content.userInfo["body"])?["order"] as? Int64 == 7)
            #expect(content.userInfo["experienceId"] as? String == "@team/app")
        case .oneSignal:
            let custom = members(content.userInfo["custom"])
            #expect(
                custom?["i"] as? String == "0c1d2e3f"
                    && members(custom?["a"])?["order"] as? Int64 == 7)
        default: #expect(Set(content.userInfo.keys) == ["aps", "order", "pushcrypt.receipt"])
        }
    }

    @Test("A sealed userInfo opens in the app again", arguments: CarrierStandIn.carriers)
    func sealed(_ carrier: Carrier) throws {
        let content = try shown(carrier, delivered(carrier), keepingSealed: true)
        #expect(
            content.body == "text" && content.userInfo["order"] == nil
                && content.userInfo["link"] == nil)
        let reader = try setting(carrier).inbox.read(displayed(content, carrier))
        #expect(reader.isOpened && reader.state == .asSealed)
        #expect(try reader.custom("order", as: Int.self) == 7)
    }

    @Test(
        "With another carrier, the fallback is displayed, and the app finds nothing of the sender's"
    )
    func wrongCarrier() throws {
        for carrier in [Carrier.expo, .oneSignal, .apns] {
            let configured: Carrier = carrier == .apns ? .expo : .apns
            let content = try shown(carrier, delivered(carrier), configured: configured)
            #expect(content.body == "(Encrypted)")
            #expect(
                Set(content.userInfo.keys).isSubset(of: [
                    "aps", "projectId", "experienceId", "scopeKey",
                ]))
        }
    }

    @Test("An app that allows unsealed payloads gets all of them") func unsealed() throws {
        let userInfo: [AnyHashable: Any] = [
            "aps": ["alert": "New message"], "body": ["order": 7], "projectId": "x",
        ]
        let content = try shown(.expo, userInfo, unsealed: .allow)
        #expect(
            content.body == "New message"
                && Set(content.userInfo.keys) == ["aps", "body", "projectId"])
        let reader = try setting(.expo, .allow).inbox.read(displayed(content, .expo))
        #expect(try reader.custom("body", "order", as: Int.self) == 7)
    }
}

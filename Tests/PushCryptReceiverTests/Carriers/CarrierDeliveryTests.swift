import Foundation
import PushCryptCore
import PushCryptPayload
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Sealed pushes as each carrier delivers them.
@Suite struct CarrierDeliveryTests {
    private static let json = #"{"aps":{"alert":{"title":"Anna","body":"text"}},"order":7}"#

    private let device: RecipientPrivateKey
    private let server: SigningKey

    init() throws {
        device = try TestKeys.device()
        server = try TestKeys.sender()
    }

    private func opener(_ carrier: Carrier) -> Opener {
        Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]),
            carrier: carrier,
            time: TestClock())
    }

    private func delivered(
        _ carrier: Carrier, _ json: String = CarrierDeliveryTests.json
    ) throws -> [AnyHashable: Any] {
        let sealer = Sealer(.signed(by: server), carrier: carrier, time: TestClock())
        return try CarrierStandIn(carrier).deliver(sealer.seal(json: json, for: device.publicKey))
    }

    private func opened(
        _ carrier: Carrier, _ userInfo: [AnyHashable: Any], keepingSealed: Bool = false
    ) -> Presented {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
        configuration.carrier = carrier
        configuration.keepsUserInfoSealed = keepingSealed
        return PushInbox(configuration, clock: TestClock()).open(
            DeliveredNotification(
                content: NotificationContent(body: "(Encrypted)"), userInfo: userInfo,
                carrier: carrier))
    }

    private func value(_ json: String) throws -> JSONValue {
        try JSONValue(parsing: Array(json.utf8))
    }

    // MARK: Opening

    @Test(
        "A push of each carrier opens, as a dictionary and as JSON",
        arguments: CarrierStandIn.carriers)
    func opens(_ carrier: Carrier) throws {
        let userInfo = try delivered(carrier)
        let push = try opener(carrier).open(userInfo: userInfo)
        #expect(String(decoding: push.payload, as: UTF8.self) == Self.json)
        let json = try JSONSerialization.data(withJSONObject: userInfo)
        #expect(try opener(carrier).open(json: json).payload == push.payload)
        #expect(opened(carrier, userInfo).content.body == "text")
        let reader = try PayloadReader(
            userInfo: userInfo, opener: opener(carrier), unsealed: .reject)
        #expect(try reader.custom("order", as: Int.self) == 7)
    }

    @Test("The error names the carrier's location")
    func errorNamesTheLocation() throws {
        for (carrier, place) in [
            (Carrier.expo, "body.ENCRYPTED_DATA"), (.oneSignal, "custom.a.ENCRYPTED_DATA"),
        ] {
            let error = thrownError { try opener(carrier).open(userInfo: try delivered(.apns)) }
            #expect(
                error?.code == .notSealed && error?.reason.hasPrefix(place + " is missing.") == true
            )
        }
    }

    @Test("An unknown carrier opens nothing, and the error names the known ones")
    func unknownCarrier() throws {
        let carrier = Carrier(rawValue: "onesignl")
        let userInfo = try delivered(.apns)
        let errors = [
            thrownError { try opener(carrier).open(userInfo: userInfo) },
            thrownError {
                try PayloadReader(userInfo: userInfo, opener: opener(carrier), unsealed: .allow)
            },
        ]
        for error in errors {
            #expect(
                error?.code == .invalidConfiguration && error?.reason.contains("onesignal") == true)
        }
        let result = opened(carrier, userInfo)
        #expect(
            result.content.body == "(Encrypted)"
                && result.outcome.failure?.code == .invalidConfiguration)
    }

    // MARK: The opened dictionary

    @Test("The original's members are where the framework reads them, beside the carrier's own")
    func openedDictionary() throws {
        let expected: [(Carrier, String)] = [
            (.apns, #"{"order":7}"#),
            (
                .firebase,
                #"{"order":7,"gcm.message_id":"1767225600000000","google.c.a.e":"1","google.c.fid":"f1","#
                    + #""google.c.sender.id":"7","#
                    + #""pushcrypt.added":["gcm.message_id","google.c.a.e","google.c.fid","google.c.sender.id"]}"#
            ),
            (
                .expo,
                #"{"order":7,"body":{"order":7},"experienceId":"@team/app","scopeKey":"@team/app","#
                    + #""projectId":"5a1d8a3f","pushcrypt.added":["body","experienceId","projectId","scopeKey"]}"#
            ),
            (
                .oneSignal,
                #"{"order":7,"custom":{"i":"0c1d2e3f","a":{"order":7}},"pushcrypt.added":["custom"]}"#
            ),
        ]
        for (carrier, json) in expected {
            var userInfo = try #require(opened(carrier, delivered(carrier)).content.originalPayload)
            #expect(
                userInfo.removeValue(forKey: "aps") == (try value(Self.json)["aps"]), "\(carrier)")
            #expect(.object(userInfo) == (try value(json)), "\(carrier)")
            #expect(
                .object(SealedPlace.original(of: userInfo)) == (try value(#"{"order":7}"#)),
                "\(carrier)")
        }
    }

    @Test("The original wins over a member of the carrier's name")
    func originalWins() throws {
        let json =
            #"{"aps":{"alert":"text"},"projectId":5,"body":"mine","custom":true,"gcm.message_id":0}"#
        for carrier in CarrierStandIn.carriers {
            let userInfo = try #require(
                opened(carrier, delivered(carrier, json)).content.originalPayload)
            for (name, member) in try #require(value(json).objectValue) {
                #expect(userInfo[name] == member, "\(carrier) \(name)")
            }
            #expect(.object(SealedPlace.original(of: userInfo)) == (try value(json)))
        }
    }

    @Test("An original can't name members as added") func originalsListIsIgnored() throws {
        // A sealer that doesn't follow the format may send it.
        let json = #"{"aps":{"alert":"text"},"order":7,"pushcrypt.added":["order"]}"#
        #expect(throws: PushCryptError.self) { try delivered(.apns, json) }
        let payload = try #require(value(json).objectValue)
        let userInfo = try SealedPlace(of: .apns).opened(payload, adding: [:])
        #expect(userInfo.keys.sorted() == ["aps", "order"])
    }

    // MARK: The delivered dictionary

    @Test(
        "A dictionary that isn't opened keeps aps, the sealed value and the carrier's members only",
        arguments: CarrierStandIn.carriers)
    func cleaned(_ carrier: Carrier) throws {
        let delivery = try SealedPlace(of: carrier)
        let userInfo = try delivered(carrier)
        #expect(JSONValue.isEqual(delivery.cleaned(userInfo), userInfo))
        var forged = userInfo
        forged["link"] = "https://evil.example"
        forged["pushcrypt.receipt"] = "AQ"
        forged["gcm.message_ids"] = "1"
        forged["google.c"] = "1"
        for name in ["body", "custom"] {
            var members = forged[name] as? [String: Any] ?? [:]
            members["link"] = "https://evil.example"
            members["i"] = members["i"] ?? ["link": "x"]
            forged[name] = members
        }
        let cleaned = delivery.cleaned(forged)
        let containers: Set<AnyHashable> = ["body", "custom"]
        let others = userInfo.filter { !containers.contains($0.key) }
        #expect(JSONValue.isEqual(cleaned.filter { !containers.contains($0.key) }, others))
        for name in ["body", "custom"] {
            let members = cleaned[name] as? [AnyHashable: Any] ?? [:]
            #expect(
                JSONValue.isEqual(members, userInfo[name] as? [AnyHashable: Any] ?? [:]),
                "\(carrier) \(name)")
        }
        #expect(
            thrownError { try opener(carrier).open(userInfo: delivery.withoutSealedValue(cleaned)) }
                != nil)
    }

    @Test("A member of the carrier that isn't text is removed")
    func addedMembersAreText() throws {
        let delivery = try SealedPlace(of: .expo)
        let userInfo: [AnyHashable: Any] = [
            "projectId": ["link": "https://evil.example"], "scopeKey": 1,
            "body": ["ENCRYPTED_DATA": ["link": "x"]],
        ]
        #expect(JSONValue.isEqual(delivery.cleaned(userInfo), ["body": [String: Any]()]))
        #expect(delivery.addedMembers(of: userInfo).isEmpty)
    }

    // MARK: A push without content

    @Test(
        "A push without content asks for a registration through each carrier",
        arguments: CarrierStandIn.carriers)
    func registrationRequest(_ carrier: Carrier) throws {
        let additions = CarrierStandIn(carrier).additions
        var userInfo: [AnyHashable: Any] = additions
        userInfo["aps"] = ["content-available": 1]
        #expect(try AskingPush(userInfo: userInfo, from: carrier) == .request)
        #expect(try (AskingPush(userInfo: userInfo, from: .apns) == .request) == additions.isEmpty)
        userInfo["order"] = 7
        #expect(try AskingPush(userInfo: userInfo, from: carrier) == nil)
    }
}

extension JSONValue {
    /// Returns a Boolean value that indicates whether two dictionaries of the system have the same
    /// JSON.
    fileprivate static func isEqual(_ one: [AnyHashable: Any], _ other: [AnyHashable: Any]) -> Bool
    {
        guard let one = try? JSONValue(userInfo: one), let other = try? JSONValue(userInfo: other)
        else { return false }
        return one == other
    }
}

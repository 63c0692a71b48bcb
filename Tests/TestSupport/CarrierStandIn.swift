internal import Foundation
package import PushCryptTesting

/// A carrier that unwraps its request, and delivers the push to an iPhone with the members that it
/// adds.
///
/// Sources: the fields of a notification's `userInfo` in expo-notifications, OneSignal-iOS-SDK and
/// firebase-ios-sdk.
package struct CarrierStandIn {
    private let carrier: Carrier

    /// Creates the stand-in of a carrier.
    package init(_ carrier: Carrier) { self.carrier = carrier }

    /// All carriers that deliver to an iPhone.
    package static let carriers = Carrier.all.filter { $0 != .firebaseAndroid }

    /// A token of the carrier.
    package var token: String {
        switch carrier {
        case .expo: "ExponentPushToken[aaaaaaaaaaaaaaaaaaaaaa]"
        case .oneSignal: "5a1d8a3f-5e1c-4d1e-9f51-3b1c5d7e9f11"
        case .firebase: "fcm:APA91b-token"
        default: String(repeating: "0a", count: 32)
        }
    }

    /// The top-level members that the carrier adds.
    package var additions: [String: Any] {
        switch carrier {
        case .firebase:
            [
                "gcm.message_id": "1767225600000000", "google.c.a.e": "1", "google.c.fid": "f1",
                "google.c.sender.id": "7",
            ]
        case .expo: ["experienceId": "@team/app", "scopeKey": "@team/app", "projectId": "5a1d8a3f"]
        case .oneSignal: ["custom": ["i": "0c1d2e3f"]]
        default: [:]
        }
    }

    /// Returns the `userInfo` of a sealed push, after the way through the carrier.
    package func deliver(_ push: SealedPush) throws -> [String: Any] {
        let request = try push.request(to: token, appID: carrier == .oneSignal ? "0d5f1e2a" : nil)
        let body = try Self.object(request.data)
        switch carrier {
        case .firebase:
            let message = body["message"] as? [String: Any]
            let apns = message?["apns"] as? [String: Any]
            return (apns?["payload"] as? [String: Any] ?? [:]).merging(additions) { own, _ in own }
        case .expo: return expo(body)
        case .oneSignal: return oneSignal(body)
        default: return body
        }
    }

    private func expo(_ body: [String: Any]) -> [String: Any] {
        let texts = ["title", "subtitle", "body"].compactMap { name in body[name].map { (name, $0) }
        }
        var aps: [String: Any] = ["alert": Dictionary(uniqueKeysWithValues: texts)]
        if body["mutableContent"] as? Bool == true { aps["mutable-content"] = 1 }
        aps["sound"] = body["sound"]
        aps["badge"] = body["badge"]
        return additions.merging(["aps": aps, "body": body["data"] ?? [:]]) { own, _ in own }
    }

    private func oneSignal(_ body: [String: Any]) -> [String: Any] {
        func text(_ name: String) -> Any? { (body[name] as? [String: Any])?["en"] }
        var alert: [String: Any] = [:]
        alert["body"] = text("contents")
        alert["title"] = text("headings")
        let aps: [String: Any] = ["alert": alert, "mutable-content": 1]
        return ["aps": aps, "custom": ["i": "0c1d2e3f", "a": body["data"] ?? [:]]]
    }

    private static func object(_ json: Data) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: json) as? [String: Any] ?? [:]
    }
}

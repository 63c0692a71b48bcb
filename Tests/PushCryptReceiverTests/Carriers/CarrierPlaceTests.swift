import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Sealed values in one, several or wrong places: a receiver opens the one at its carrier's
/// location, or none.
///
/// `PUSHCRYPT_PLACES` is the number of random dictionaries.
@Suite(.thorough) struct CarrierPlaceTests {
    private static let count =
        ProcessInfo.processInfo.environment["PUSHCRYPT_PLACES"].flatMap(Int.init) ?? 500
    private static let seed: UInt64 = 20_261_127

    /// The places in which a dictionary can have a value, among them those of the carriers.
    private static let places: [[String]] = [
        ["ENCRYPTED_DATA"], ["body", "ENCRYPTED_DATA"], ["custom", "a", "ENCRYPTED_DATA"],
        ["custom", "ENCRYPTED_DATA"],
        ["custom", "i", "ENCRYPTED_DATA"], ["a", "ENCRYPTED_DATA"], ["aps", "ENCRYPTED_DATA"],
        ["data", "ENCRYPTED_DATA"], ["body", "body", "ENCRYPTED_DATA"],
        ["body", "a", "ENCRYPTED_DATA"],
        ["custom", "a", "a", "ENCRYPTED_DATA"], ["encrypted_data"], ["body", "Encrypted_Data"],
    ]

    private static let expected: [Carrier: [String]] = [
        .apns: ["ENCRYPTED_DATA"], .firebase: ["ENCRYPTED_DATA"],
        .expo: ["body", "ENCRYPTED_DATA"],
        .oneSignal: ["custom", "a", "ENCRYPTED_DATA"],
    ]

    private let device: RecipientPrivateKey
    /// Sealed values, each of another number.
    private let values: [String]

    init() throws {
        let device = try TestKeys.device()
        self.device = device
        values = try (0..<Self.places.count).map { number in
            let push = try Sealer(.anonymous, time: TestClock()).seal(
                json: #"{"aps":{"alert":"text"},"number":\#(number)}"#, for: device.publicKey)
            let json = try JSONSerialization.jsonObject(with: push.data) as? [String: Any]
            return try #require(json?["ENCRYPTED_DATA"] as? String)
        }
    }

    private func set(_ value: Any, at path: ArraySlice<String>, in dictionary: inout [String: Any])
    {
        guard let name = path.first else { return }
        if path.count == 1 {
            dictionary[name] = value
        } else {
            var inner = dictionary[name] as? [String: Any] ?? [:]
            set(value, at: path.dropFirst(), in: &inner)
            dictionary[name] = inner
        }
    }

    /// Returns a dictionary with sealed and other values.
    private func dictionary(_ random: inout SeededRandom) -> [String: Any] {
        var userInfo: [String: Any] = [
            "aps": ["alert": "(Encrypted)", "mutable-content": 1], "projectId": "5a1d",
        ]
        for place in Self.places.shuffled(using: &random).prefix(
            Int.random(in: 0...4, using: &random))
        {
            let number = Int.random(in: 0..<values.count, using: &random)
            let isDamaged = Int.random(in: 0..<6, using: &random) == 0
            let others: [Any] = ["", "AQ", 7, ["a": "b"], [values[number]]]
            let other = others[Int.random(in: 0..<others.count, using: &random)]
            // A later value can replace an earlier one, or the dictionary that has it.
            set(isDamaged ? other : values[number], at: place[...], in: &userInfo)
        }
        return userInfo
    }

    private func value(at path: [String], in userInfo: [String: Any]) -> Any? {
        path.reduce(userInfo as Any?) { ($0 as? [String: Any])?[$1] }
    }

    @Test("Only the value at the carrier's location is opened")
    func onlyTheConfiguredPlace() throws {
        var random = SeededRandom(seed: Self.seed)
        var opened = 0
        var refused = 0
        for _ in 0..<Self.count {
            let userInfo = dictionary(&random)
            for (carrier, place) in Self.expected {
                let opener = Opener(
                    keys: InMemoryKeyStore([device]), senderPolicy: .anyone, carrier: carrier,
                    time: TestClock())
                let text = value(at: place, in: userInfo) as? String
                let number = text.flatMap { values.firstIndex(of: $0) }
                let push = try? opener.open(userInfo: userInfo)
                let json = try JSONSerialization.data(withJSONObject: userInfo)
                #expect((try? opener.open(json: json))?.payload == push?.payload)
                let payload = push.map { String(decoding: $0.payload, as: UTF8.self) }
                let expected = number.map { #"{"aps":{"alert":"text"},"number":\#($0)}"# }
                #expect(payload == expected, "\(carrier) \(userInfo)")
                if push == nil { refused += 1 } else { opened += 1 }
            }
        }
        #expect(opened > Self.count / 2 && refused > Self.count)
    }
}

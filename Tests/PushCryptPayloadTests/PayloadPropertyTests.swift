import Foundation
import Testing

@testable import PushCryptPayload

/// Tests of the property of each of Apple's keys.
@Suite struct PayloadPropertyTests {
    /// Returns a value for a key's property, which differs from that of each other key.
    private func sample(_ key: PayloadKey) -> JSONValue {
        let number = PayloadKey.allCases.firstIndex(of: key) ?? 0
        switch key {
        case .interruptionLevel: return .string("time-sensitive")
        case .event: return .string("update")
        default: break
        }
        switch key.kind {
        case .string, .stringOrDictionary: return .string("text \(number)")
        case .strings: return ["argument \(number)", ""]
        case .number: return .number(JSONNumber(Double(number) + 0.5))
        case .integer, .flag: return .number(JSONNumber(number))
        case .dictionary: return ["member \(number)": [1, .null]]
        }
    }

    /// Returns a payload with these keys only.
    private func payload(_ keys: [PayloadKey]) -> [String: JSONValue] {
        var dictionaries: [PayloadKey.Parent: [String: JSONValue]] = [:]
        for key in keys { dictionaries[key.parent, default: [:]][key.rawValue] = sample(key) }
        var aps = dictionaries[.aps] ?? [:]
        if let alert = dictionaries[.alert] { aps["alert"] = .object(alert) }
        if let sound = dictionaries[.sound] { aps["sound"] = .object(sound) }
        return ["aps": .object(aps)]
    }

    private func expectNothingLost(_ keys: [PayloadKey]) throws {
        let members = payload(keys)
        let payload = try Payload(members)
        #expect(payload.members == members, "\(keys)")
        let json = try payload.json()
        #expect(try JSONValue(parsing: json) == .object(members), "\(keys)")
        #expect(try Payload(parsing: json) == payload, "\(keys)")
        #expect(try JSONDecoder().decode(Payload.self, from: Data(json)) == payload, "\(keys)")
        // Each key has a property.
        let aps = try #require(payload.aps)
        #expect(aps.other.isEmpty && payload.custom.isEmpty, "\(keys)")
        #expect(aps.alert?.parts.other.isEmpty ?? true, "\(keys)")
        if case .dictionary(let sound) = aps.sound { #expect(sound.other.isEmpty, "\(keys)") }
    }

    @Test("Each property is kept, alone and beside any other", arguments: PayloadKey.allCases)
    func eachPropertyIsKeptAloneAndBesideAnyOther(key: PayloadKey) throws {
        try expectNothingLost([key])
        for other in PayloadKey.allCases where other != key { try expectNothingLost([key, other]) }
    }

    @Test("All properties are kept together") func allPropertiesAreKeptTogether() throws {
        try expectNothingLost(PayloadKey.allCases)
    }

    @Test("Each property has the value of its key") func eachPropertyHasTheValueOfItsKey() throws {
        let aps = try #require(Payload(payload(PayloadKey.allCases)).aps)
        func text(_ key: PayloadKey) -> String? { sample(key).stringValue }
        func texts(_ key: PayloadKey) -> [String]? {
            sample(key).arrayValue?.compactMap(\.stringValue)
        }
        #expect(aps.badge == sample(.badge).intValue)
        #expect(aps.threadID == text(.threadID))
        #expect(aps.category == text(.category))
        #expect(aps.contentAvailable == sample(.contentAvailable).intValue)
        #expect(aps.mutableContent == sample(.mutableContent).intValue)
        #expect(aps.targetContentID == text(.targetContentID))
        #expect(aps.interruptionLevel == .timeSensitive)
        #expect(aps.relevanceScore == sample(.relevanceScore).doubleValue)
        #expect(aps.filterCriteria == text(.filterCriteria))
        #expect(aps.staleDate == sample(.staleDate).doubleValue)
        #expect(aps.contentState == sample(.contentState).objectValue)
        #expect(aps.timestamp == sample(.timestamp).doubleValue)
        #expect(aps.event == .update)
        #expect(aps.dismissalDate == sample(.dismissalDate).doubleValue)
        #expect(aps.attributesType == text(.attributesType))
        #expect(aps.attributes == sample(.attributes).objectValue)
        #expect(aps.inputPushToken == sample(.inputPushToken).intValue)
        #expect(aps.inputPushChannel == text(.inputPushChannel))
        let alert = try #require(aps.alert?.parts)
        #expect(
            alert.title == text(.title) && alert.subtitle == text(.subtitle)
                && alert.body == text(.body))
        #expect(
            alert.launchImage == text(.launchImage) && alert.actionLocKey == text(.actionLocKey))
        #expect(
            alert.titleLocKey == text(.titleLocKey) && alert.titleLocArgs == texts(.titleLocArgs))
        #expect(
            alert.subtitleLocKey == text(.subtitleLocKey)
                && alert.subtitleLocArgs == texts(.subtitleLocArgs))
        #expect(alert.locKey == text(.locKey) && alert.locArgs == texts(.locArgs))
        guard case .dictionary(let sound) = aps.sound else {
            Issue.record("The sound is a dictionary.")
            return
        }
        #expect(sound.critical == sample(.critical).intValue)
        #expect(sound.name == text(.name) && sound.volume == sample(.volume).doubleValue)
    }

    @Test("An alert and a sound can be strings") func anAlertAndASoundCanBeStrings() throws {
        let payload = try Payload(parsing: #"{"aps":{"alert":"a","sound":"s"}}"#.utf8)
        #expect(payload.aps?.alert == .text("a") && payload.aps?.alert?.parts.body == "a")
        #expect(payload.aps?.alert?.parts.title == nil)
        #expect(payload.aps?.sound == .named("s"))
        #expect(
            String(decoding: try payload.json(), as: UTF8.self)
                == #"{"aps":{"alert":"a","sound":"s"}}"#)
    }
}

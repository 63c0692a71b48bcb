import Foundation
import Testing

@testable import PushCryptCore
@testable import PushCryptPayload

/// Tests of the keys against Apple's tables.
@Suite struct PayloadKeyTests {
    /// The keys and types of the tables 1, 2 and 3 of "Generating a remote notification".
    static let tables: [(parent: PayloadKey.Parent, keys: [String: PayloadKey.Kind])] = [
        (
            .aps,
            [
                "alert": .stringOrDictionary, "badge": .integer, "sound": .stringOrDictionary,
                "thread-id": .string,
                "category": .string, "content-available": .flag, "mutable-content": .flag,
                "target-content-id": .string,
                "interruption-level": .string, "relevance-score": .number,
                "filter-criteria": .string,
                "stale-date": .number, "content-state": .dictionary, "timestamp": .number,
                "event": .string,
                "dismissal-date": .number, "attributes-type": .string, "attributes": .dictionary,
                "input-push-token": .flag, "input-push-channel": .string,
            ]
        ),
        (
            .alert,
            [
                "title": .string, "subtitle": .string, "body": .string, "launch-image": .string,
                "title-loc-key": .string, "title-loc-args": .strings, "subtitle-loc-key": .string,
                "subtitle-loc-args": .strings, "loc-key": .string, "loc-args": .strings,
                "action-loc-key": .string,
            ]
        ),
        (.sound, ["critical": .flag, "name": .string, "volume": .number]),
    ]

    @Test("The keys are those of Apple's tables") func theKeysAreThoseOfAppleTables() {
        #expect(Set(PayloadKey.Parent.allCases) == Set(Self.tables.map(\.parent)))
        for (parent, keys) in Self.tables {
            let listed = PayloadKey.allCases.filter { $0.parent == parent }
            #expect(Dictionary(uniqueKeysWithValues: listed.map { ($0.rawValue, $0.kind) }) == keys)
        }
        #expect(PayloadKey.allCases.count == Self.tables.reduce(0) { $0 + $1.keys.count })
    }

    @Test("Names and paths are unique") func namesAndPathsAreUnique() {
        #expect(Set(PayloadKey.allCases.map(\.rawValue)).count == PayloadKey.allCases.count)
        #expect(Set(PayloadKey.allCases.map(\.path)).count == PayloadKey.allCases.count)
        #expect(PayloadKey.badge.path == ["aps", "badge"])
        #expect(PayloadKey.locArgs.path == ["aps", "alert", "loc-args"])
        #expect(PayloadKey.volume.path == ["aps", "sound", "volume"])
    }

    @Test("A member is found by its name with and without escapes", arguments: PayloadKey.allCases)
    func aMemberIsFoundByItsNameWithAndWithoutEscapes(key: PayloadKey) throws {
        let escaped = key.rawValue.utf16.map { String($0, radix: 16) }.map { "\\u00" + $0 }.joined()
        for name in [key.rawValue, escaped] {
            for json in [#"{"\#(name)":1}"#, #"{"a":{"b":{"\#(name)":null}}}"#] {
                let bytes = Array(json.utf8)
                let document = try JSONDocument(scanning: bytes.span)
                let known = document.values.compactMap {
                    PayloadKey($0, of: document, in: bytes.span)
                }
                #expect(known == [key])
            }
        }
        for name in [
            key.rawValue + "x", "x" + key.rawValue, key.rawValue.uppercased(),
            String(key.rawValue.dropLast()),
        ] {
            let bytes = Array(#"{"\#(name)":1}"#.utf8)
            let document = try JSONDocument(scanning: bytes.span)
            let member = try #require(document.values.last)
            #expect(PayloadKey(member, of: document, in: bytes.span) == nil)
        }
    }

    @Test("A key with a type is not one of the other keys")
    func aKeyWithATypeIsNotOneOfTheOtherKeys() {
        for parent in PayloadKey.Parent.allCases {
            for key in PayloadKey.allCases where key.parent == parent {
                #expect(!PayloadKey.isOther(key.rawValue, in: parent), "\(key)")
            }
            #expect(!PayloadKey.isOther("", in: parent) && !PayloadKey.isOther("aps", in: parent))
        }
        #expect(
            PayloadKey.isOther("url-args", in: .aps) && !PayloadKey.isOther("url-args", in: .alert))
        #expect(
            PayloadKey.isOther("summary-arg", in: .alert)
                && !PayloadKey.isOther("summary-arg", in: .aps))
    }

    @Test("Interruption levels and events have Apple's names")
    func interruptionLevelsAndEventsHaveAppleNames() {
        #expect(
            InterruptionLevel.allCases.map(\.rawValue) == [
                "passive", "active", "time-sensitive", "critical",
            ])
        #expect(LiveActivityEvent.allCases.map(\.rawValue) == ["start", "update", "end"])
    }
}

import Foundation
import PushCryptLint
import PushCryptTesting
import Testing

/// Tests of the visible part of a payload, byte by byte.
@Suite struct VisiblePayloadTests {
    private let recipient: RecipientPublicKey
    private let original = """
        {"aps":{"alert":{"title":"t"},"badge":3,"sound":{"critical":1,"name":"a/b.caf","volume":0.50},"thread-id":"th",\
        "category":"c","target-content-id":"w","interruption-level":"passive","relevance-score":1.0,\
        "filter-criteria":"f","content-available":1},"k":"v"}
        """

    init() throws {
        recipient = try TestKeys.device().publicKey
    }

    private func visible(
        _ sealer: Sealer = Sealer(.anonymous), _ json: String? = nil, type: PushType = .alert
    ) throws -> String {
        let push = try sealer.seal(
            json: (json ?? original).utf8, for: recipient, headers: APNsHeaders(type))
        let text = String(decoding: push.payload, as: UTF8.self)
        let marker = #""ENCRYPTED_DATA":""#
        let parts = text.components(between: marker)
        #expect(parts.value.hasSuffix(#""}"#))
        return parts.before + marker
    }

    @Test("By default nothing of the original is visible")
    func byDefaultNothingOfTheOriginalIsVisible() throws {
        #expect(
            try visible()
                == #"{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1},"ENCRYPTED_DATA":""#
        )
    }

    @Test("Exposed values are visible byte for byte") func exposedValuesAreVisibleByteForByte()
        throws
    {
        #expect(
            try visible(Sealer(.anonymous, exposedKeys: [.sound, .relevanceScore, .badge]))
                == #"{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1,"#
                + #""sound":{"critical":1,"name":"a/b.caf","volume":0.50},"badge":3,"relevance-score":1.0},"ENCRYPTED_DATA":""#
        )
        #expect(
            try visible(Sealer(.anonymous, exposedKeys: Set(ExposedKey.allCases)))
                == #"{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1,"category":"c","thread-id":"th","#
                + #""sound":{"critical":1,"name":"a/b.caf","volume":0.50},"badge":3,"interruption-level":"passive","#
                + #""relevance-score":1.0,"target-content-id":"w","filter-criteria":"f","content-available":1},"#
                + #""ENCRYPTED_DATA":""#)
    }

    @Test(
        "Ignored rules never expose a dictionary or an array",
        arguments: [
            #"{"aps":{"alert":"a","category":{"x":1},"sound":{"critical":1,"name":"overdraft.caf","volume":1}}}"#,
            #"{"aps":{"alert":"a","category":["secret"]}}"#,
            #"{"aps":{"alert":"a","sound":["secret"]}}"#,
            #"{"aps":{"alert":"a","sound":{"name":{"k":"secret"}}}}"#,
            #"{"aps":{"alert":"a","sound":{"volume":[1]}}}"#,
        ])
    func ignoredRulesNeverExposeADictionaryOrAnArray(_ json: String) {
        let sealer = Sealer(
            .anonymous, exposedKeys: [.category, .sound], ignoredRules: Set(Rule.all.map(\.id)))
        #expect(throws: PushCryptError(.invalidPayload, "")) { try visible(sealer, json) }
    }

    @Test("Exposing a missing key exposes nothing") func exposingAMissingKeyExposesNothing() throws
    {
        #expect(
            try visible(Sealer(.anonymous, exposedKeys: [.sound]), #"{"aps":{"alert":"a"}}"#)
                == #"{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1},"ENCRYPTED_DATA":""#
        )
    }

    @Test("The placeholder is written as JSON") func thePlaceholderIsWrittenAsJson() throws {
        let placeholder = Placeholder(
            title: "Neue \"Nachricht\"", subtitle: "a/b", body: "öffnen\n\u{1}")
        #expect(
            try visible(Sealer(.anonymous, placeholder: placeholder))
                == #"{"aps":{"alert":{"title":"Neue \"Nachricht\"","subtitle":"a/b","body":"öffnen\n\u0001"},"#
                + #""mutable-content":1},"ENCRYPTED_DATA":""#)
        #expect(
            try visible(Sealer(.anonymous, placeholder: Placeholder(title: "only")))
                == #"{"aps":{"alert":{"title":"only"},"mutable-content":1},"ENCRYPTED_DATA":""#)
    }

    @Test(
        "A placeholder without text is rejected",
        arguments: [
            Placeholder(), Placeholder(body: ""), Placeholder(title: "", subtitle: "", body: ""),
        ])
    func aPlaceholderWithoutTextIsRejected(placeholder: Placeholder) {
        #expect(throws: PushCryptError(.invalidPlaceholder, "")) {
            try visible(Sealer(.anonymous, placeholder: placeholder))
        }
    }

    @Test("A background push keeps only content-available")
    func aBackgroundPushKeepsOnlyContentAvailable() throws {
        #expect(
            try visible(
                Sealer(.anonymous), #"{"aps":{"content-available":1,"category":"c"},"k":1}"#,
                type: .background)
                == #"{"aps":{"content-available":1},"ENCRYPTED_DATA":""#)
    }

    @Test(
        "A push that the app opens keeps an empty aps",
        arguments: [PushType.voip, .location, .pushToTalk])
    func aPushThatTheAppOpensKeepsAnEmptyAps(type: PushType) throws {
        for json in [#"{"call":"Anna"}"#, #"{"aps":{"alert":"Anna"},"call":1}"#] {
            #expect(
                try visible(Sealer(.anonymous), json, type: type)
                    == #"{"aps":{},"ENCRYPTED_DATA":""#)
        }
    }

    @Test("An exposed sound shows only documented members")
    func anExposedSoundShowsOnlyDocumentedMembers() throws {
        let json =
            #"{"aps":{"alert":"b","sound":{"name":"x.caf","who":"Anna","critical":1,"volume":0.5}}}"#
        let push = try Sealer(.anonymous, exposedKeys: [.sound]).seal(
            json: json.utf8, for: recipient)
        let sound = try JSONValue(parsing: push.payload)["aps"]?["sound"]
        #expect(sound == ["critical": 1, "name": "x.caf", "volume": 0.5])
        let empty = #"{"aps":{"alert":"b","sound":{}}}"#
        let other = try Sealer(.anonymous, exposedKeys: [.sound]).seal(
            json: empty.utf8, for: recipient)
        #expect(try JSONValue(parsing: other.payload)["aps"]?["sound"] == [:])
    }
}

extension String {
    /// Returns the text before and after the first match.
    fileprivate func components(between marker: String) -> (before: String, value: String) {
        guard let range = self.range(of: marker) else { return (self, "") }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }
}

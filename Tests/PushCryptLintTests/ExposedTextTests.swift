import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Tests of the rules about readable text.
@Suite struct ExposedTextTests {
    /// A text of each kind.
    private static let texts: [(text: String, rule: Rule)] = [
        ("4111 1111 1111 1111", SensitiveText.cardNumber), ("DE89 3704 0044 0532 0130 00", .iban),
        ("jane@example.com", .emailAddress), ("Your code is 482913", .oneTimeCode),
        ("+1 415 555 2671", .phoneNumber),
        ("Hi Bob, can we move our meeting to Thursday next week at the usual location?", .longText),
    ].map { ($0, $1.rule) }

    private static let secret = "jane@example.com"

    /// Returns the rules and locations of readable text.
    private func clear(
        _ json: String, _ headers: APNsHeaders = APNsHeaders(), exposedKeys: Set<ExposedKey> = [],
        placeholder: Placeholder = .standard
    ) throws -> [String] {
        try PayloadLint(
            json: json.utf8, headers: headers, exposedKeys: exposedKeys, placeholder: placeholder
        ).findings
            .filter { $0.rule.id.rawValue.hasPrefix("clear-") }
            .map { "\($0.rule.id.rawValue) \($0.location)" }
    }

    // MARK: Sealed payloads

    @Test("All strings of a sealed payload are checked", arguments: texts)
    func sealedPayload(_ text: String, _ rule: Rule) throws {
        let json =
            #"{"aps":{"alert":{"body":"\#(text)"},"mutable-content":1},"k":["\#(text)"],"ENCRYPTED_DATA":"AA"}"#
        let id = rule.id.rawValue
        #expect(try clear(json) == ["\(id) aps.alert.body", "\(id) k.0"])
        #expect(rule.severity == .warning)
    }

    @Test(
        "Title, subtitle and body are checked",
        arguments: [
            ("title", "aps.alert.title"), ("subtitle", "aps.alert.subtitle"),
            ("body", "aps.alert.body"),
        ])
    func alert(_ key: String, _ location: String) throws {
        let json =
            #"{"aps":{"alert":{"\#(key)":"\#(Self.secret)"},"mutable-content":1},"ENCRYPTED_DATA":"AA"}"#
        #expect(try clear(json) == ["clear-email-address \(location)"])
    }

    @Test("Arguments and escapes are checked")
    func arguments() throws {
        let json =
            #"{"aps":{"alert":{"loc-key":"K","loc-args":["a","jane\u0040example.com"]},"thread-id":"+14155552671","#
            + #""mutable-content":1},"ENCRYPTED_DATA":"AA"}"#
        #expect(
            try clear(json) == [
                "clear-email-address aps.alert.loc-args.1", "clear-phone-number aps.thread-id",
            ])
    }

    @Test("Sealed values aren't checked")
    func sealedValue() throws {
        for (text, _) in Self.texts {
            #expect(
                try clear(
                    #"{"aps":{"alert":"(Encrypted)","mutable-content":1},"ENCRYPTED_DATA":"\#(text)"}"#
                ) == [])
            for key in ["content-state", "attributes"] {
                let json =
                    #"{"aps":{"event":"update","timestamp":1764000000,"\#(key)":{"ENCRYPTED_DATA":"\#(text)"}}}"#
                #expect(try clear(json, APNsHeaders(.liveActivity)) == [])
            }
        }
    }

    /// No extension reads this location.
    @Test("A misplaced sealed value is checked")
    func otherSealedValue() throws {
        let json =
            #"{"aps":{"alert":{"body":"a","ENCRYPTED_DATA":"\#(Self.secret)"},"mutable-content":1},"#
            + #""k":{"ENCRYPTED_DATA":"\#(Self.secret)"},"ENCRYPTED_DATA":"AA"}"#
        #expect(
            try clear(json) == [
                "clear-email-address aps.alert.ENCRYPTED_DATA",
                "clear-email-address k.ENCRYPTED_DATA",
            ])
    }

    @Test("A push of the sealer has no sensitive text")
    func sealedPush() throws {
        let original =
            #"{"aps":{"alert":{"title":"Jane","body":"Your code is 482913, jane@example.com"}},"k":"x"}"#
        let device = try TestKeys.device().publicKey
        for sealer in [Sealer(.anonymous), Sealer(.signed(by: try TestKeys.sender()))] {
            let push = try sealer.seal(json: Array(original.utf8), for: device)
            let lint = try PayloadLint(json: push.payload)
            #expect(lint.isSealed)
            #expect(!lint.findings.contains { $0.rule.id.rawValue.hasPrefix("clear-") })
        }
    }

    // MARK: Originals

    @Test("Keys that aren't exposed aren't checked")
    func original() throws {
        for (text, _) in Self.texts {
            let json =
                #"{"aps":{"alert":{"title":"\#(text)","body":"\#(text)"},"thread-id":"\#(text)","#
                + #""category":"\#(text)"},"k":"\#(text)"}"#
            #expect(try clear(json) == [])
            #expect(try clear(json, APNsHeaders(.voip)) == [])
        }
        let silent = #"{"aps":{"content-available":1},"k":"\#(Self.secret)"}"#
        #expect(try clear(silent, APNsHeaders(.background)) == [])
    }

    @Test(
        "Exposed keys of an original are checked",
        arguments: [ExposedKey.category, .threadID, .sound, .targetContentID, .filterCriteria])
    func exposedKeys(_ key: ExposedKey) throws {
        let json = #"{"aps":{"alert":"a","\#(key.rawValue)":"\#(Self.secret)"}}"#
        #expect(
            try clear(json, exposedKeys: [key]) == ["clear-email-address aps.\(key.rawValue)"])
        let others = Set(ExposedKey.allCases).subtracting([key])
        #expect(try clear(json, exposedKeys: others) == [])
    }

    @Test("The placeholder is checked")
    func placeholder() throws {
        let placeholders = [
            Placeholder(title: .text(Self.secret), body: "a"),
            Placeholder(subtitle: .text(Self.secret), body: "a"),
            Placeholder(body: .text(Self.secret)),
            Placeholder(body: .localized(key: "K", arguments: ["a", Self.secret])),
        ]
        for placeholder in placeholders {
            #expect(
                try clear(#"{"aps":{"alert":"a"}}"#, placeholder: placeholder) == [
                    "clear-email-address the placeholder"
                ])
            // Other push types have no placeholder.
            #expect(try clear(#"{"k":"a"}"#, APNsHeaders(.voip), placeholder: placeholder) == [])
        }
        #expect(try clear(#"{"aps":{"alert":"a"}}"#) == [])
    }

    @Test("Readable text of a Live Activity is checked")
    func liveActivity() throws {
        let json =
            #"{"aps":{"event":"update","timestamp":1764000000,"content-state":{"a":"\#(Self.secret)"},"#
            + #""alert":{"title":"a","body":"\#(Self.secret)"}}}"#
        #expect(try clear(json, APNsHeaders(.liveActivity)) == [])
        let exposed = try clear(json, APNsHeaders(.liveActivity), exposedKeys: [.alert])
        #expect(exposed == ["clear-email-address aps.alert.body"])
        let placeholder = Placeholder(body: .text(Self.secret))
        let replaced = try clear(json, APNsHeaders(.liveActivity), placeholder: placeholder)
        #expect(replaced == ["clear-email-address the placeholder"])
    }

    // MARK: Headers

    @Test("The collapse ID is checked", arguments: [PushType.alert, .voip])
    func collapseID(_ type: PushType) throws {
        let json = #"{"aps":{"alert":"a"}}"#
        let headers = APNsHeaders(type, collapseID: Self.secret)
        #expect(try clear(json, headers) == ["clear-email-address apns-collapse-id"])
    }

    @Test("Opaque identifiers have no sensitive text")
    func opaqueIDs() throws {
        let ids = try OpaqueIDs(keyedBy: TestKeys.sender())
        let device = try TestKeys.device().publicKey
        for number in 0..<500 {
            let headers = APNsHeaders(collapseID: try ids.collapseID(for: "\(number)", to: device))
            #expect(try clear(#"{"aps":{"alert":"a"}}"#, headers) == [])
        }
    }

    @Test("No finding contains the text")
    func privacy() throws {
        for (text, _) in Self.texts {
            let json = #"{"aps":{"alert":"\#(text)","mutable-content":1},"ENCRYPTED_DATA":"AA"}"#
            let findings = try PayloadLint(json: json.utf8).findings
            #expect(
                findings.allSatisfy {
                    !$0.message.contains(text) && !$0.error.reason.contains(text)
                })
        }
    }

    // MARK: Other locations

    @Test("An exposed sound may be a dictionary")
    func sound() throws {
        let json = #"{"aps":{"alert":"a","sound":{"critical":1,"name":"\#(Self.secret)"}}}"#
        #expect(try clear(json) == [])
        #expect(
            try clear(json, exposedKeys: [.sound])
                == ["clear-email-address aps.sound.name"])
    }

    @Test("A text used as a key is checked")
    func textAsKey() throws {
        let placeholder = Placeholder(title: nil, subtitle: nil, body: .localized(key: Self.secret))
        #expect(
            try clear(#"{"aps":{"alert":"a"}}"#, placeholder: placeholder) == [
                "clear-email-address the placeholder"
            ])
    }

    @Test("The fix depends on the location")
    func fixes() throws {
        func fixes(_ json: String, _ type: PushType = .alert) throws -> [String] {
            try PayloadLint(
                json: json.utf8, headers: APNsHeaders(type),
                exposedKeys: [.category, .threadID, .alert]
            ).findings
                .filter { $0.rule == SensitiveText.emailAddress.rule }.map(\.fix)
        }
        #expect(
            try fixes(
                #"{"aps":{"alert":"a","category":"\#(Self.secret)","thread-id":"\#(Self.secret)"}}"#
            ) == [
                "Don't expose category.",
                "Don't expose thread-id, or replace its value with an opaque identifier.",
            ])
        #expect(
            try fixes(
                #"{"aps":{"event":"end","timestamp":1764000000,"content-state":{},"alert":{"title":"\#(Self.secret)"}}}"#,
                .liveActivity)
                == ["Put it into content-state, which is sealed."])
    }
}

import PushCryptTesting
import Testing

/// What a lint says of texts that can be read on the way, and where it must say nothing.
@Suite struct ClearTextCheckTests {
    /// One text of every kind, but for the long one.
    private static let texts: [(text: String, rule: Rule)] = [
        ("4111 1111 1111 1111", .clearCardNumber), ("DE89 3704 0044 0532 0130 00", .clearIBAN),
        ("jane@example.com", .clearEmailAddress), ("Your code is 482913", .clearOneTimeCode),
        ("+1 415 555 2671", .clearPhoneNumber),
        ("Hi Bob, can we move our meeting to Thursday next week at the usual location?", .clearLongText),
    ]

    private static let secret = "jane@example.com"

    /// The places of what is in the clear, each with its rule.
    private func clear(
        _ json: String, _ headers: APNsHeaders = APNsHeaders(),
        _ options: PayloadLint.Options = PayloadLint.Options()
    ) throws -> [String] {
        try PayloadLint(json: json.utf8, headers: headers, options: options).findings
            .filter { $0.rule.id.rawValue.hasPrefix("clear-") }
            .map { "\($0.rule.id.rawValue) \($0.location)" }
    }

    // MARK: What travels

    @Test("All strings of a sealed payload are checked", arguments: texts)
    func sealedPayload(_ text: String, _ rule: Rule) throws {
        let json = #"{"aps":{"alert":{"body":"\#(text)"},"mutable-content":1},"k":["\#(text)"],"ENCRYPTED_DATA":"AA"}"#
        let id = rule.id.rawValue
        #expect(try clear(json) == ["\(id) aps.alert.body", "\(id) k.0"])
        #expect(rule.severity == .warning)
    }

    @Test(
        "Title, subtitle and body are checked",
        arguments: [
            ("title", "aps.alert.title"), ("subtitle", "aps.alert.subtitle"), ("body", "aps.alert.body"),
        ])
    func alert(_ key: String, _ location: String) throws {
        let json = #"{"aps":{"alert":{"\#(key)":"\#(Self.secret)"},"mutable-content":1},"ENCRYPTED_DATA":"AA"}"#
        #expect(try clear(json) == ["clear-email-address \(location)"])
    }

    @Test("Arguments and escapes are checked")
    func arguments() throws {
        let json =
            #"{"aps":{"alert":{"loc-key":"K","loc-args":["a","jane\u0040example.com"]},"thread-id":"+14155552671","#
            + #""mutable-content":1},"ENCRYPTED_DATA":"AA"}"#
        #expect(
            try clear(json) == ["clear-email-address aps.alert.loc-args.1", "clear-phone-number aps.thread-id"])
    }

    @Test("Sealed values aren't checked")
    func sealedValue() throws {
        for (text, _) in Self.texts {
            #expect(
                try clear(#"{"aps":{"alert":"(Encrypted)","mutable-content":1},"ENCRYPTED_DATA":"\#(text)"}"#) == [])
            for key in ["content-state", "attributes"] {
                let json = #"{"aps":{"event":"update","timestamp":1,"\#(key)":{"ENCRYPTED_DATA":"\#(text)"}}}"#
                #expect(try clear(json, APNsHeaders(.liveActivity)) == [])
            }
        }
    }

    /// The name seals nothing where no extension looks for it.
    @Test("A misplaced sealed value is checked")
    func otherSealedValue() throws {
        let json =
            #"{"aps":{"alert":{"body":"a","ENCRYPTED_DATA":"\#(Self.secret)"},"mutable-content":1},"#
            + #""k":{"ENCRYPTED_DATA":"\#(Self.secret)"},"ENCRYPTED_DATA":"AA"}"#
        #expect(
            try clear(json) == [
                "clear-email-address aps.alert.ENCRYPTED_DATA", "clear-email-address k.ENCRYPTED_DATA",
            ])
    }

    @Test("A push of the sealer has no sensitive text")
    func sealedPush() throws {
        let original = #"{"aps":{"alert":{"title":"Jane","body":"Your code is 482913, jane@example.com"}},"k":"x"}"#
        let device = try TestKeys.device().publicKey
        for sealer in [Sealer(.anonymous), Sealer(.signed(by: try TestKeys.sender()))] {
            let push = try sealer.seal(json: Array(original.utf8), for: device)
            let lint = try PayloadLint(json: push.payload)
            #expect(lint.subject == .sealed)
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
            try clear(json, APNsHeaders(), PayloadLint.Options(exposedKeys: [key])) == [
                "clear-email-address aps.\(key.rawValue)"
            ])
        let others = Set(ExposedKey.allCases).subtracting([key])
        #expect(try clear(json, APNsHeaders(), PayloadLint.Options(exposedKeys: others)) == [])
    }

    @Test("The placeholder is checked")
    func placeholder() throws {
        let placeholders = [
            Placeholder(title: Self.secret, body: "a"), Placeholder(subtitle: Self.secret, body: "a"),
            Placeholder(body: Self.secret), Placeholder(body: .localized(key: "K", arguments: ["a", Self.secret])),
        ]
        for placeholder in placeholders {
            let options = PayloadLint.Options(placeholder: placeholder)
            #expect(
                try clear(#"{"aps":{"alert":"a"}}"#, APNsHeaders(), options) == ["clear-email-address the placeholder"]
            )
            // These have none.
            #expect(try clear(#"{"k":"a"}"#, APNsHeaders(.voip), options) == [])
        }
        #expect(try clear(#"{"aps":{"alert":"a"}}"#) == [])
    }

    @Test("Readable text of a Live Activity is checked")
    func liveActivity() throws {
        let json =
            #"{"aps":{"event":"update","timestamp":1,"content-state":{"a":"\#(Self.secret)"},"#
            + #""alert":{"title":"a","body":"\#(Self.secret)"}}}"#
        #expect(try clear(json, APNsHeaders(.liveActivity)) == ["clear-email-address aps.alert.body"])
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
            #expect(findings.allSatisfy { !$0.message.contains(text) && !$0.error.reason.contains(text) })
        }
    }

    // MARK: Where it is easily overlooked

    @Test("An exposed sound may be a dictionary")
    func sound() throws {
        let json = #"{"aps":{"alert":"a","sound":{"critical":1,"name":"\#(Self.secret)"}}}"#
        #expect(try clear(json) == [])
        #expect(
            try clear(json, APNsHeaders(), PayloadLint.Options(exposedKeys: [.sound]))
                == ["clear-email-address aps.sound.name"])
    }

    @Test("A text used as a key is checked")
    func textAsKey() throws {
        let placeholder = Placeholder(title: nil, subtitle: nil, body: .localized(key: Self.secret))
        let options = PayloadLint.Options(placeholder: placeholder)
        #expect(
            try clear(#"{"aps":{"alert":"a"}}"#, APNsHeaders(), options) == ["clear-email-address the placeholder"])
    }

    @Test("The fix depends on the location")
    func fixes() throws {
        func mends(_ json: String, _ type: PushType = .alert) throws -> [String] {
            let options = PayloadLint.Options(exposedKeys: [.category, .threadID])
            return try PayloadLint(json: json.utf8, headers: APNsHeaders(type), options: options).findings
                .filter { $0.rule == .clearEmailAddress }.map(\.fix)
        }
        #expect(
            try mends(#"{"aps":{"alert":"a","category":"\#(Self.secret)","thread-id":"\#(Self.secret)"}}"#) == [
                "Don't expose category.", "Don't expose thread-id, or replace its value with an opaque identifier.",
            ])
        #expect(
            try mends(
                #"{"aps":{"event":"end","timestamp":1,"alert":{"title":"\#(Self.secret)"}}}"#, .liveActivity)
                == ["Put it into content-state, which is sealed."])
    }
}

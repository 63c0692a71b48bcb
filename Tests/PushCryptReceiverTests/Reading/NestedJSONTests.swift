import Foundation
import PushCryptReceiver
import PushCryptTesting
import TestSupport
import Testing

/// JSON in a string, which is parsed as strictly as any.
@Suite struct NestedJSONTests {
    /// The members of a marketing service.
    private struct Rich: Decodable, Hashable {
        let title: String
        let body: String
        let image: URL?
        let video: URL?
        let deepLink: String?

        enum CodingKeys: String, CodingKey {
            case title = "RW_push_payload_TT"
            case body = "RW_push_payload_BD"
            case image = "RW_push_payload_IM"
            case video = "RW_push_payload_MV"
            case deepLink = "RW_push_payload_deeplink"
        }
    }

    /// The forms of the nested JSON.
    enum Form: CaseIterable {
        case dictionary, string

        func payload(_ members: String) -> String {
            switch self {
            case .dictionary: #"{"aps":{"alert":{"title":"a"}},"RW_push_payload_WP":\#(members)}"#
            case .string:
                #"{"aps":{"alert":{"title":"a"}},"RW_push_payload_WP":\#(quoted(members))}"#
            }
        }
    }

    /// Returns a text as a JSON string.
    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let name = "RW_push_payload_WP"

    // MARK: A vendor's payload

    @Test("A vendor's payload is decoded as one type", arguments: Form.allCases)
    func vendorsPayloadIsDecodedAsOneType(form: Form) throws {
        let whole = #"""
            {"RW_push_payload_TT":"Sale \"now\"","RW_push_payload_BD":"Grüße 👋","RW_push_payload_IM":"https://a.example/i.png",\#
            "RW_push_payload_MV":"https://a.example/v.mp4","RW_push_payload_deeplink":"app://sale/1"}
            """#
        #expect(
            try reader(form.payload(whole)).custom(Self.name, as: Rich.self)
                == Rich(
                    title: #"Sale "now""#, body: "Grüße 👋",
                    image: URL(string: "https://a.example/i.png"),
                    video: URL(string: "https://a.example/v.mp4"), deepLink: "app://sale/1"))
        #expect(
            try reader(form.payload(whole)).custom(
                Self.name, "RW_push_payload_deeplink", as: String.self)
                == "app://sale/1")
        let least =
            #"{"RW_push_payload_TT":"t","RW_push_payload_BD":"b","RW_push_payload_IM":null}"#
        #expect(
            try reader(form.payload(least)).custom(Self.name, as: Rich.self)
                == Rich(title: "t", body: "b", image: nil, video: nil, deepLink: nil))
    }

    @Test("A missing required member is named", arguments: Form.allCases)
    func missingRequiredMemberIsNamed(form: Form) throws {
        for members in [
            #"{"RW_push_payload_TT":"secret"}"#,
            #"{"RW_push_payload_TT":"t","RW_push_payload_BD":null}"#,
        ] {
            let error = try refusalOf(form.payload(members))
            #expect(error?.code == .missingValue)
            #expect(error?.reason.contains(#""RW_push_payload_WP.RW_push_payload_BD""#) == true)
            #expect(error?.reason.contains("secret") == false)
        }
        #expect(
            thrownError { try reader(#"{"aps":{}}"#).custom(Self.name, as: Rich.self) }?.code
                == .missingValue)
    }

    @Test(
        "A member of another type is named", arguments: Form.allCases,
        ["5", "true", "{}", #"["secret"]"#])
    func memberOfAnotherTypeIsNamed(form: Form, value: String) throws {
        let error = try refusalOf(
            form.payload(#"{"RW_push_payload_TT":"t","RW_push_payload_BD":\#(value)}"#))
        #expect(error?.code == .typeMismatch)
        #expect(error?.reason.contains(#""RW_push_payload_WP.RW_push_payload_BD""#) == true)
        #expect(error?.reason.contains("secret") == false)
    }

    private func refusalOf(_ json: String) throws -> PushCryptError? {
        let reader = try reader(json)
        return thrownError { try reader.custom(Self.name, as: Rich.self) }
    }

    // MARK: At each level

    @Test("A string may contain JSON at each level") func stringMayContainJSONAtEachLevel() throws {
        let inner = #"{"c":{"d":42}}"#
        let middle = #"{"b":\#(Self.quoted(inner))}"#
        for payload in [
            #"{"a":{"b":{"c":{"d":42}}}}"#, #"{"a":{"b":\#(Self.quoted(inner))}}"#,
            #"{"a":\#(Self.quoted(middle))}"#,
            #"{"a":{"b":{"c":"{\"d\":42}"}}}"#, #"{"a":{"b":{"c":{"d":"42"}}}}"#,
            #"{"a":\#(Self.quoted(#"{"b":{"c":"{\"d\":\"42\"}"}}"#))}"#,
        ] {
            let reader = try reader(payload)
            #expect(try reader.custom("a", "b", "c", "d", as: Int.self) == 42, "\(payload)")
            #expect(
                try reader.customIfPresent("a", "b", "c", "d", as: Int.self) == 42, "\(payload)")
            #expect(try reader.customIfPresent("a", "b", "x", as: Int.self) == nil, "\(payload)")
        }
    }

    @Test(
        "Arrays are decoded from a string",
        arguments: [
            ("[1,2]", [1, 2]), (" [ 1 , 2 ] \n", [1, 2]), ("[]", []),
        ])
    func arraysAreDecodedFromAString(text: String, values: [Int]) throws {
        #expect(try reader(#"{"k":\#(Self.quoted(text))}"#).custom("k", as: [Int].self) == values)
    }

    @Test("Numbers and Boolean values are decoded from a string")
    func numbersAndBooleanValuesAreDecodedFromAString()
        throws
    {
        let reader = try reader(#"{"n":"42","d":"1.5","yes":"true","no":"TRUE","text":"x"}"#)
        #expect(try reader.custom("n", as: Int.self) == 42)
        #expect(try reader.custom("d", as: Double.self) == 1.5)
        #expect(try reader.custom("yes", as: Bool.self))
        #expect(thrownError { try reader.custom("no", as: Bool.self) }?.code == .typeMismatch)
        #expect(thrownError { try reader.custom("text", as: Int.self) }?.code == .typeMismatch)
    }

    @Test(
        "A requested string stays a string",
        arguments: [
            #"{"a":1}"#, "[1]", "42", "true", "null", #""quoted""#, "", "{", #"{"a":1,"a":2}"#,
        ])
    func requestedStringStaysAString(text: String) throws {
        let reader = try reader(#"{"k":\#(Self.quoted(text))}"#)
        #expect(try reader.custom("k", as: String.self) == text)
        #expect(try reader.customIfPresent("k", as: String?.self) == text)
        #expect(try reader.custom("k", as: JSONValue.self) == .string(text))
    }

    // MARK: Strictness

    @Test(
        "Nested JSON must be strict",
        arguments: [
            #"{"id":1,"id":2}"#, #"{"id":1,"\u0069d":2}"#, #"{"id":1,"x":{"a":1,"a":1}}"#,
            #"{"id":1,}"#, "{'id':1}",
            #"{"id":1}}"#, #"{"id":1} {}"#, #"{"id":01}"#, #"{"id":1,"s":"\ud800"}"#,
            "\u{FEFF}{\"id\":1}", "{id:1}",
            "/**/{\"id\":1}", #"{"id":NaN}"#, "{\"id\":1,\"s\":\"\u{1}\"}",
        ])
    func nestedJSONMustBeStrict(text: String) throws {
        struct Thing: Decodable { let id: Int }
        let reader = try reader(#"{"k":\#(Self.quoted(text))}"#)
        #expect(thrownError { try reader.custom("k", as: Thing.self) }?.code == .typeMismatch)
        #expect(thrownError { try reader.custom("k", "id", as: Int.self) }?.code == .typeMismatch)
        #expect(
            thrownError { try reader.customIfPresent("k", "id", as: Int.self) }?.code
                == .typeMismatch)
    }

    @Test(
        "A text can't escape from its wrapper",
        arguments: [
            #"1,"id":2"#, #"{},"":{"id":2}"#, #"1},"x":{"id":2"#, #"{"id":2"#, #""id":2}"#,
            #"{"id":2}],[{"id":2}"#,
            "1}",
        ])
    func textCantEscapeFromItsWrapper(text: String) throws {
        struct Thing: Decodable { let id: Int }
        let reader = try reader(#"{"k":\#(Self.quoted(text))}"#)
        #expect(thrownError { try reader.custom("k", as: Thing.self) }?.code == .typeMismatch)
        #expect(thrownError { try reader.custom("k", as: [Thing].self) }?.code == .typeMismatch)
        #expect(thrownError { try reader.custom("k", as: Int.self) }?.code == .typeMismatch)
        #expect(thrownError { try reader.custom("k", "id", as: Int.self) }?.code == .typeMismatch)
    }

    // MARK: Depth

    /// A type that decodes JSON of any depth.
    private struct Deep: Decodable {
        init(from decoder: any Decoder) throws { _ = try JSONValue(from: decoder) }
    }

    @Test(
        "Great depth is an error and not a crash", arguments: [("[", "]"), (#"{"a":"#, "}")],
        [1, 61, 62, 63, 64, 65, 200, 1500])
    func greatDepthIsAnErrorAndNotACrash(braces: (String, String), depth: Int) throws {
        let text =
            String(repeating: braces.0, count: depth) + "1"
            + String(repeating: braces.1, count: depth)
        let payload = #"{"k":{"a":\#(Self.quoted(text))}}"#
        // On a stack as small as that of a queue's threads.
        let code = try onSmallStack {
            thrownError {
                let reader = try reader(payload)
                _ = try? reader.custom("k", "a", as: Deep.self)
                _ = try? reader.custom("k", as: Deep.self)
                _ = try reader.custom("k", "a", as: String.self)
                _ = try reader.custom("k", "a", as: [[Deep]].self)
            }?.code
        }
        let isArray = braces.0 == "["
        #expect(code == (isArray && (2...63).contains(depth) ? nil : .typeMismatch))
    }

    @Test("Nested strings are followed as far as the path goes")
    func nestedStringsAreFollowedAsFarAsThePathGoes()
        throws
    {
        var text = #"{"a":1}"#
        // The backslashes double with each level, so a payload has few levels.
        for _ in 0..<9 { text = #"{"a":\#(Self.quoted(text))}"# }
        let reader = try reader(text)
        #expect(
            try reader.custom("a", "a", "a", "a", "a", "a", "a", "a", "a", "a", as: Int.self) == 1)
        #expect(
            thrownError {
                try reader.custom(
                    "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", as: Int.self)
            }?.code
                == .typeMismatch)
        // Without a further name, only one string is parsed.
        #expect(
            thrownError { try reader.custom("a", as: [String: [String: Int]].self) }?.code
                == .typeMismatch)
    }
}

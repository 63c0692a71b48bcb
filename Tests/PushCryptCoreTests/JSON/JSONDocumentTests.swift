import PushCryptCore
import TestSupport
import Testing

@Suite struct JSONDocumentTests {
    let text: [UInt8]
    let document: JSONDocument

    init() throws {
        let json =
            #" { "aps" : {"alert":{"body" : "x"},"badge":-1.5} , "t":true,"f":false,"z":null,"l":[ 1 ],"\u0065":"\n" } "#
        let text = Array(json.utf8)
        self.text = text
        document = try JSONDocument(scanning: text.span)
    }

    private func value(_ name: String, of object: JSONDocument.Value? = nil) -> String? {
        document.find(name, of: object, in: text).map {
            String(decoding: text[$0.range], as: UTF8.self)
        }
    }

    @Test("A member is found by its decoded name") func membersByName() {
        #expect(value("aps") == #"{"alert":{"body" : "x"},"badge":-1.5}"#)
        #expect(value("t") == "true")
        #expect(value("l") == "[ 1 ]")
        #expect(value("e") == #""\n""#, "By what the escapes stand for.")
    }

    @Test("Another name finds no member") func unknownNames() {
        for name in ["", "ap", "apss", "APS", "alert", "body", #"\u0065"#, "n", "\"t\""] {
            #expect(value(name) == nil)
        }
    }

    @Test("Members of inner objects are found") func innerObjects() throws {
        let aps = try #require(document.find("aps", in: text))
        let alert = try #require(document.find("alert", of: aps, in: text))
        #expect(value("badge", of: aps) == "-1.5")
        #expect(value("body", of: alert) == #""x""#)
        #expect(value("aps", of: aps) == nil)
        #expect(
            document.children(of: aps).map { document.name(of: $0, in: text.span) } == [
                "alert", "badge",
            ])
    }

    @Test("The values are in the order of the text") func order() {
        #expect(
            document.values.map(\.kind) == [
                .object, .object, .object, .string, .number, .boolean, .boolean, .null, .array,
                .number, .string,
            ])
        #expect(
            document.children(of: document.root).map { document.name(of: $0, in: text.span) } == [
                "aps", "t", "f", "z", "l", "e",
            ])
        #expect(document.children(of: nil).count == 0)
    }

    @Test("A value without members has no member") func noMembers() {
        let list = document.find("l", in: text)
        #expect(list != nil && document.find("", of: list, in: text) == nil)
        #expect(document.member("aps", of: nil, in: text.span) == nil)
    }

    @Test(
        "A value has its kind",
        arguments: [
            ("aps", JSONDocument.Kind.object), ("t", .boolean), ("f", .boolean), ("z", .null),
            ("l", .array),
            ("e", .string),
        ])
    func kinds(_ name: String, _ kind: JSONDocument.Kind) throws {
        let member = try #require(document.find(name, in: text))
        #expect(member.kind == kind)
    }

    @Test("Every form of a number is a number", arguments: ["0", "-1", "1.5", "9e9"])
    func numbers(_ number: String) throws {
        let bytes = Array(#"{"n":\#(number)}"#.utf8)
        let document = try JSONDocument(scanning: bytes.span)
        let member = try #require(document.find("n", in: bytes))
        #expect(member.kind == .number)
    }

    @Test("White space is counted between tokens only") func whitespace() throws {
        for (json, count) in [
            ("{}", 0), (" {\t}\n", 3), (#"{"a b" : " c "}"#, 2), (#"{"a":[ 1 , 2 ]}"#, 4),
        ] {
            let bytes = Array(json.utf8)
            #expect(try JSONDocument(scanning: bytes.span).whitespace == count)
        }
    }

    @Test("Each of a hundred members is found") func manyMembers() throws {
        let bytes = Array(
            ("{" + (0..<100).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}").utf8)
        let document = try JSONDocument(scanning: bytes.span)
        for index in 0..<100 {
            let member = try #require(document.find("k\(index)", in: bytes))
            #expect(String(decoding: bytes[member.range], as: UTF8.self) == "\(index)")
        }
    }
}

import PushCryptCore
import TestSupport
import Testing

@Suite struct JSONArrayTests {
    private func elements(_ array: String) throws -> [String] {
        let bytes = Array(#"{"x":"[,","k":\#(array)}"#.utf8)
        let document = try JSONDocument(scanning: bytes.span)
        let member = try #require(document.find("k", in: bytes))
        return document.children(of: member).map {
            String(decoding: bytes[$0.range], as: UTF8.self)
        }
    }

    @Test(
        "The children of an array are its elements",
        arguments: [
            ("[]", []), ("[ \n ]", []), ("[1]", ["1"]), ("[ 1 , 2\t,\r\n3 ]", ["1", "2", "3"]),
            (#"["a,b","]","\"],[",""]"#, [#""a,b""#, #""]""#, #""\"],[""#, #""""#]),
            ("[[1,2],[ ],[[3]]]", ["[1,2]", "[ ]", "[[3]]"]),
            (#"[{"a":[1,2],"b":"}"}, {}]"#, [#"{"a":[1,2],"b":"}"}"#, "{}"]),
            (#"["\\","x"]"#, [#""\\""#, #""x""#]),
            ("[true,false,null,-1.5e3]", ["true", "false", "null", "-1.5e3"]),
        ] as [(String, [String])])
    func elements(_ array: String, _ expected: [String]) throws {
        #expect(try elements(array) == expected)
    }

    @Test(
        "White space at both ends is trimmed",
        arguments: [
            ("", 0..<0), ("  ", 2..<2), ("a", 0..<1), (" \t\r\na b\n", 4..<7), ("\u{B}a", 0..<2),
        ])
    func trimming(_ text: String, _ expected: Range<Int>) {
        let bytes = Array(text.utf8)
        let range = JSONText.trimmed(bytes.span)
        #expect(range.count == expected.count)
        #expect(range.isEmpty || range == expected)
    }
}

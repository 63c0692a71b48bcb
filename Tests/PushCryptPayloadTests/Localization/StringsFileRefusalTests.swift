import PushCryptCore
import Testing

@testable import PushCryptPayload

@Suite struct StringsFileRefusalTests {
    private static let cases: [(text: String, line: Int, what: StringsProblem.Kind)] = [
        ("}", 1, .expectedKey), ("{ a = b; }", 1, .expectedKey), (";", 1, .expectedKey), ("a = b;;", 1, .expectedKey),
        ("= b;", 1, .expectedKey), ("a = b;\nä = b;", 2, .expectedKey), ("a = b;\n\n(", 3, .expectedKey),
        ("/", 1, .expectedEqualSignOrSemicolon), ("\u{FEFF}\u{FEFF}a = b;", 1, .expectedKey),
        ("\u{A0}a = b;", 1, .expectedKey), ("a = b;\n”c” = d;", 2, .expectedKey),
        ("a", 1, .expectedEqualSignOrSemicolon), ("\"a\"", 1, .expectedEqualSignOrSemicolon),
        ("a b;", 1, .expectedEqualSignOrSemicolon), ("\"a\"\n\n\"b\";", 1, .expectedEqualSignOrSemicolon),
        ("a: = b;\na+ = b;", 2, .expectedEqualSignOrSemicolon), ("a/*", 1, .expectedEqualSignOrSemicolon),
        ("\n\"a\" \"b\";", 2, .expectedEqualSignOrSemicolon), ("a\u{301} = b;", 1, .expectedEqualSignOrSemicolon),
        ("a =", 1, .expectedValue), ("a = ;", 1, .expectedValue), ("a\n=\n\n{ b = c; };", 2, .expectedValue),
        ("a = (b, c);", 1, .expectedValue), ("a = <00>;", 1, .expectedValue), ("a = = b;", 1, .expectedValue),
        ("a = /* c */", 1, .expectedValue), ("a = %@;", 1, .expectedValue),
        ("a = b", 1, .expectedSemicolon), ("\"a\" = \"b\"\n\"c\" = \"d\";", 1, .expectedSemicolon),
        ("a = b\n\n// c\n\nc = d;", 1, .expectedSemicolon), ("a = \"b\" \"c\";", 1, .expectedSemicolon),
        ("\na = b c;", 2, .expectedSemicolon), ("a = b = c;", 1, .expectedSemicolon),
        ("a = b+c;", 1, .expectedSemicolon), ("a = \"say \"hello\"\";", 1, .expectedSemicolon),
        ("\"a", 1, .endlessString), ("a = '", 1, .endlessString), ("\n\na =\n\"b\n\n", 4, .endlessString),
        ("a = \"b';", 1, .endlessString), ("a = \"b\\\";", 1, .endlessString), ("a = \"b\\", 1, .endlessString),
        ("a = b; /* c", 1, .endlessComment), ("\n/* a\n\n*", 2, .endlessComment), ("/*/", 1, .endlessComment),
        ("/*", 1, .endlessComment), ("a = b; /* c */ /* d *\n/", 1, .endlessComment),
        (#"a = "\q";"#, 1, .malformedEscape), (#""\%" = b;"#, 1, .malformedEscape),
        (#"a = "\8";"#, 1, .malformedEscape), (#"a = "\u0041";"#, 1, .malformedEscape),
        (#"a = "\x41";"#, 1, .malformedEscape), (#"a = "\ ";"#, 1, .malformedEscape),
        (#"a = "\é";"#, 1, .malformedEscape), ("a = \"\n\\U004\";", 2, .malformedEscape),
        (#"a = "\U";"#, 1, .malformedEscape), (#"a = "\u{41}";"#, 1, .malformedEscape),
        (#"a = "\U00G0";"#, 1, .malformedEscape), (#"a = "\U00４1";"#, 1, .malformedEscape),
        (#"a = "\U12"#, 1, .malformedEscape), (#"a = "\400";"#, 1, .malformedEscape),
        (#"a = "\777";"#, 1, .malformedEscape), (#"a = "\376";"#, 1, .malformedEscape),
        (#"a = "\377";"#, 1, .malformedEscape), (#"a = "\UD83D\U00";"#, 1, .malformedEscape),
        (#"a = "\UD83D";"#, 1, .loneSurrogate), (#"a = "\UDE00";"#, 1, .loneSurrogate),
        (#"a = "\UDE00\UD83D";"#, 1, .loneSurrogate), (#"a = "\UDE00\U00";"#, 1, .loneSurrogate),
        (#"a = "\UD83D\UD83D";"#, 1, .loneSurrogate),
        (#"a = "\UD83D\U0041";"#, 1, .loneSurrogate), (#"a = "\UD83D\n";"#, 1, .loneSurrogate),
        (#"a = "\UD83DxxUDE00";"#, 1, .loneSurrogate), ("a = \"\\UDFFF\n\";", 1, .loneSurrogate),
        (#"a = "\UD83D\UE000";"#, 1, .loneSurrogate), (#"a = "\UD83D"#, 1, .loneSurrogate),
        ("a = 1; a = 1;", 1, .duplicateKey), ("a = 1;\n\"b\" = 2;\n'a';", 3, .duplicateKey),
        ("a = 1;\n\n\"\\U0061\"\n = 2;\nc", 3, .duplicateKey), ("a;\r\na;", 2, .duplicateKey),
        ("a = b;\0", 1, .zero), ("a = \"\n\0\";", 2, .zero),
        ("bplist00\u{1}", 1, .propertyList), ("<?xml version=\"1.0\"?>", 1, .propertyList),
    ]

    private func problem(_ bytes: [UInt8]) -> StringsProblem? {
        do throws(StringsProblem) {
            _ = try StringsFile.strings(in: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: cases)
    func refuses(_ text: String, _ line: Int, _ what: StringsProblem.Kind) {
        #expect(problem(Array(text.utf8)) == StringsProblem(what, line: line))
    }

    @Test func everyProblemButThoseOfEncodingsIsThere() {
        let others = Set(StringsProblem.Kind.allCases).subtracting(Self.cases.map(\.what))
        #expect(others == [.malformedUTF8, .malformedUTF16])
    }

    @Test(arguments: [
        ("\n", 2), ("\r", 2), ("\r\n", 2), ("\n\r", 3), ("\r\r", 3), ("\n\n", 3), ("\r\n\r\n", 3), ("\u{2028}", 1),
        ("\u{B}", 1), ("a;\r\n", 2), ("/*\r\n\r\n*/", 3), ("\"\n\r\n\";\r", 4), ("", 1),
    ])
    func countsLines(_ before: String, _ line: Int) {
        #expect(problem(Array((before + "}").utf8)) == StringsProblem(.expectedKey, line: line))
    }

    @Test(arguments: StringsProblem.Kind.allCases)
    func theErrorIsFixedTextAndTheLine(_ what: StringsProblem.Kind) {
        let error = StringsProblem(what, line: 7).error
        #expect(error.code == .malformedStrings)
        #expect(error.reason == "The strings file cannot be read: in line 7, \(what.rawValue).")
    }
}

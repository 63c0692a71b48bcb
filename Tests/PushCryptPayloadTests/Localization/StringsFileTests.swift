import Testing

@testable import PushCryptPayload

@Suite struct StringsFileTests {
    /// Reads a text and compares what comes of it, byte for byte.
    private func expect(_ text: String, _ strings: [(String, String)], _ comment: Comment? = nil) throws {
        let read = try StringsFile.strings(in: Array(text.utf8))
        #expect(read.count == strings.count, comment)
        for (key, value) in strings {
            #expect(read[Array(key.utf8)].map { Array($0.utf8) } == Array(value.utf8), comment)
        }
    }

    @Test func readsEntries() throws {
        try expect(#""a" = "1";"#, [("a", "1")])
        try expect(#""a"="1";"b"="2";"#, [("a", "1"), ("b", "2")])
        try expect("\n\"a key\"\n=\n\"a value\"\n;\n", [("a key", "a value")])
        try expect(#""" = "";"#, [("", "")])
        try expect("\"Grüße\" = \"世界 👋\";", [("Grüße", "世界 👋")])
    }

    @Test(arguments: ["", " ", "\n", "// c", "/**/", "/* c */\n// c\n", "\u{2028}\u{2029}\t\u{B}\u{C}\r"])
    func readsAFileWithoutEntries(_ text: String) throws {
        try expect(text, [])
    }

    @Test func aKeyAloneIsItsOwnString() throws {
        try expect(#""a"; b ; "c" = "d"; 'e';"#, [("a", "a"), ("b", "b"), ("c", "d"), ("e", "e")])
    }

    @Test func readsBareWords() throws {
        try expect("key = value;", [("key", "value")])
        try expect("a.b-c_d/e:f$9=https://example.com/a//b;", [("a.b-c_d/e:f$9", "https://example.com/a//b")])
        try expect("aZ09=/;", [("aZ09", "/")])
        try expect("a /*c*/ = b;", [("a", "b")])
    }

    @Test func eitherQuotationMarkIsTextInTheOther() throws {
        try expect(#"'a' = 'b"c';"#, [("a", "b\"c")])
        try expect(#""a'b" = "c";"#, [("a'b", "c")])
    }

    @Test func skipsComments() throws {
        try expect("/* a */ \"k\" /* b */ = /* c */ \"v\" /* d */ ; // e", [("k", "v")])
        try expect("// \"x\" = \"y\";\n\"k\" = \"v\"; // *\r// */\r\n/* // \" ; */", [("k", "v")])
        try expect("/***/ /*/ **/ /* /* */ a = b;", [("a", "b")])
        try expect("// c\u{2028}a = b; // d\u{2029}c = d;", [("a", "b"), ("c", "d")])
        try expect(#""/* a */" = "// b";"#, [("/* a */", "// b")])
    }

    @Test func resolvesEscapes() throws {
        try expect(
            #""\"\'\\" = "\n\r\t\a\b\f\v";"#, [(#""'\"#, "\n\r\t\u{7}\u{8}\u{C}\u{B}")])
        try expect(#"'\"\'' = '\'';"#, [(#""'"#, "'")])
        try expect("a = \"x\\\ny\\\r\nz\\\rw\";", [("a", "x\ny\r\nz\rw")])
        try expect(#""a\\" = "\\n";"#, [("a\\", "\\n")])
    }

    @Test func resolvesOctalEscapes() throws {
        try expect(#"a = "\0\60\0601\78\101\177";"#, [("a", "\u{0}001\u{7}8A\u{7F}")])
        try expect(#"a = "\0\08\0000";"#, [("a", "\u{0}\u{0}8\u{0}0")])
        // The encoding of NeXTSTEP, not Latin-1.
        try expect(#"a = "\200\251\351\375";"#, [("a", "\u{A0}’Øÿ")])
    }

    @Test func resolvesUnicodeEscapes() throws {
        try expect(#""\U0041\U00e9\U20AC" = "\U0041\UD83D\UDE00";"#, [("Aé€", "A😀")])
        try expect(#"a = "\UD83D\UDE00\Ud83d\Ude00\UD800\UDC00\UDBFF\UDFFF";"#, [("a", "😀😀\u{10000}\u{10FFFF}")])
        try expect(#"a = "\UD7FF\UE000\UFFFF\U0000";"#, [("a", "\u{D7FF}\u{E000}\u{FFFF}\u{0}")])
        // Four digits and no more, as in the system.
        try expect(#"a = "\U0001F600";"#, [("a", "\u{1}F600")])
        try expect(#"a = "e\U0301\U0323";"#, [("a", "e\u{301}\u{323}")])
    }

    @Test func keepsLineBreaksAndControlCharacters() throws {
        try expect("a = \"1\n2\r\n3\r4\u{2028}\t\u{1}\";", [("a", "1\n2\r\n3\r4\u{2028}\t\u{1}")])
    }

    @Test func marksThatCombineHideNothing() throws {
        // In Swift, a quotation mark and a combining mark are one character, and so are CR and LF.
        try expect("\"a\" = \"\u{301}x\"; 'b' = '\u{200D}';", [("a", "\u{301}x"), ("b", "\u{200D}")])
        try expect("// c\r\na = b;\r\n", [("a", "b")])
    }

    @Test func keysInOtherNormalFormsAreOthers() throws {
        try expect("\"\u{E9}\" = 1; \"e\u{301}\" = 2;", [("\u{E9}", "1"), ("e\u{301}", "2")])
    }
}

import Foundation
import PushCryptCore
import PushCryptPayload
import TestSupport
import Testing

@Suite("Strings files") struct StringsFileTests {
    private func littleEndian(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private func bigEndian(_ text: String) -> [UInt8] {
        [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    /// Returns the reason of the error, or `nil` if the file is valid.
    private func reason(_ file: some Collection<UInt8>) -> String? {
        do throws(PushCryptError) {
            _ = try DictionaryStringTable(parsing: file)
            return nil
        } catch {
            #expect(error.code == .malformedStrings)
            return error.reason
        }
    }

    @Test(
        "An entry is a key and a string",
        arguments: [
            (#""a key" = "a value";"#, "a key", "a value"), (#""" = "";"#, "", ""),
            ("a=b;", "a", "b"),
            ("\n\"a\"\n=\n\"b\"\n;\n", "a", "b"), ("\"Grüße\" = \"世界 👋\";", "Grüße", "世界 👋"),
            (#""a";"#, "a", "a"), (#"'a' = 'b"c';"#, "a", #"b"c"#), (#""a'b" = c;"#, "a'b", "c"),
            (
                "a.b-c_d/e:f$9=https://example.com/a//b;", "a.b-c_d/e:f$9",
                "https://example.com/a//b"
            ),
            (#""a" = "\"\\\n\t\U00e9";"#, "a", "\"\\\n\té"),
            ("a = \"1\n2\r\n3\";", "a", "1\n2\r\n3"),
            (#""a" = "\a\b\\f\\101";"#, "a", "\u{7}\u{8}\\f\\101"),
            ("\"a\" = \"\u{301}x\";", "a", "\u{301}x"), ("\u{FEFF}a = b;", "a", "b"),
        ])
    func entry(_ text: String, _ key: String, _ value: String) throws {
        for file in [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + text.utf8, littleEndian(text), bigEndian(text),
        ] {
            let string = try DictionaryStringTable(parsing: file).string(forKey: key)
            #expect(string.map { Array($0.utf8) } == Array(value.utf8))
        }
    }

    @Test("Comments and white space are skipped")
    func comments() throws {
        let table = try DictionaryStringTable(
            parsing: """
                /* "x" = "y"; */ "a" /* b */ = /***/ "1" /*/ **/ ; // c = "d
                // * /* ; \r\n"b" = "/* 2 */"; "c" = "// 3";
                """.utf8)
        #expect(["a", "b", "c", "x"].map(table.string) == ["1", "/* 2 */", "// 3", nil])
    }

    @Test(
        "A file without entries is an empty table",
        arguments: ["", " ", "\n", "// c", "/**/", "/* c */\n// d\n"])
    func empty(_ text: String) throws {
        #expect(try DictionaryStringTable(parsing: text.utf8).string(forKey: "c") == nil)
        #expect(reason(littleEndian(text)) == nil)
    }

    @Test(
        "A mistake is an error with its line",
        arguments: [
            ("}", 1), ("{ a = b; }", 1), (";", 1), ("a = b;;", 1), ("= b;", 1),
            ("a = b;\nä = b;", 2),
            ("a = b;\n\n(", 3),
            ("\n\"a\"", 2), ("a =", 1), ("a = ;", 1), ("a = (b, c);", 1), ("a = <00>;", 1),
            ("a = = b;", 1),
            ("a = b c;", 1),
            ("a = b", 1), ("\na = \"b", 2), ("a = b;\n/* c", 2), ("a = 'b\";", 1),
            ("a\n=\nb\n\"c\";", 4),
            // Foundation accepts these.
            (#"a = "\u0041";"#, 1), (#"a = "\q";"#, 1), (#"a = "\U";"#, 1), (#"a = "\101";"#, 1),
            (#"a = "\0";"#, 1), (#"a = "\400";"#, 1), (#"a = "\f";"#, 1), (#"a = "\v";"#, 1),
            ("a = b;\r\nc", 2),
            ("a = b;\n”c” = d;", 2),
        ])
    func mistake(_ text: String, _ line: Int) {
        let reason = reason(text.utf8)
        #expect(
            reason?.hasPrefix("The strings file isn't valid in line \(line)") == true,
            "\(reason ?? "no error")")
    }

    @Test("Two strings with the same key are an error")
    func duplicateKeys() {
        #expect(
            reason(#""zq" = "1"; "b" = "2"; zq = "3";"#.utf8)?.contains("more than once") == true)
        #expect(
            reason(#""a" = "1"; "b" = "1"; "\U0061";"#.utf8)?.contains("more than once") == true)
    }

    @Test("A compiled file is an error that says so")
    func compiledFile() throws {
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let file = try PropertyListSerialization.data(
                fromPropertyList: ["a": "b"], format: format, options: 0)
            #expect(reason(file)?.contains("compiled") == true)
        }
    }

    @Test("Bytes that aren't text are an error")
    func encodings() {
        let files: [[UInt8]] = [
            Array("a = \"".utf8) + [0xC3, 0x28] + Array("\";".utf8),
            Array(littleEndian("a = b;").dropFirst(2)),
            [0xFF, 0xFE, 0x00, 0xD8], [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0],
        ]
        for file in files { #expect(reason(file)?.contains("isn't valid text") == true) }
    }

    @Test("No error contains text of the file")
    func errorsWithoutContent() {
        let text = Array(#"/* zq */ "zqkey" = "zqvalue\n"; 'zq' = zq; "zq zq";"#.utf8)
        var random = SeededRandom(seed: 0x57121)
        var errors = 0
        for _ in 0..<LongRun.count(500, full: 5_000) {
            var file = text
            let byte = Int.random(in: 0..<file.count, using: &random)
            file[byte] = Array("\"';=/*\\{(<\n ".utf8).randomElement(using: &random) ?? 0
            if let reason = reason(file) {
                errors += 1
                #expect(!reason.contains("zq"))
            }
        }
        #expect(errors > 50)
    }

    @Test("No bytes crash the parser")
    func randomBytes() {
        var random = SeededRandom(seed: 0xB17E5)
        for length in 0..<LongRun.count(100, full: 300) {
            for prefix: [UInt8] in [[], [0xFF, 0xFE], Array("a = \"\\".utf8)] {
                _ = reason(prefix + random.bytes(length))
            }
        }
    }

    @Test(
        "Parsing takes linear time",
        arguments: [
            "/", "/* */", "// c\n", "\n", "/*", "\"", "'", "\\", "a", ";", "\\n", "é", "(", "{",
            "a=b;",
        ])
    func linearTime(_ piece: String) {
        for (start, end) in [("", ""), ("a = b", ""), ("a = \"", ""), ("a = \"", "\";")] {
            expectLinearTime(LongRun.count(250, full: 12_000)) { count in
                _ = reason((start + String(repeating: piece, count: count) + end).utf8)
            }
        }
    }
}

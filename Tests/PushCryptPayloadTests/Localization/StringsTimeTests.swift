import Testing

@testable import PushCryptPayload

/// Big files: with quadratic time each would take hours.
@Suite struct StringsTimeTests {
    private static let count = 200_000

    private func repeated(_ text: String) -> String {
        String(repeating: text, count: Self.count)
    }

    private func strings(_ text: String) throws -> [[UInt8]: String] {
        try StringsFile.strings(in: Array(text.utf8))
    }

    @Test(.timeLimit(.minutes(1)))
    func readsManyEntriesInTime() throws {
        let text = (0..<(Self.count / 4)).map { "\"key \($0)\" = \"value\";\n" }.joined()
        #expect(try strings(text).count == Self.count / 4)
    }

    @Test(.timeLimit(.minutes(1)))
    func readsLongStringsInTime() throws {
        for piece in ["x", "\\n", "\\101", "\\UD83D\\UDE00", "é", "\r\n"] {
            let text = "\"\(repeated(piece))\";"
            #expect(try strings(text).count == 1)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func readsAKeyOfCombiningMarksInTime() throws {
        // Swift sorts such marks one by one when it hashes or compares a String.
        let key = repeated("\u{301}\u{323}")
        let table = try DictionaryStringTable(parsing: Array("\"\(key)\" = \"v\"; \"\(key)x\" = w;".utf8))
        #expect(table.string(forKey: key) == "v")
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["/", "/* */", "// c\n", "\n", "/*", "\"", "'", "\\", "a", ";", "\r"])
    func passesOrRefusesRepetitionsInTime(_ piece: String) {
        _ = try? strings(repeated(piece))
        _ = try? strings("a = b" + repeated(piece))
        _ = try? strings("a = \"" + repeated(piece))
    }
}

import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptPayload

@Suite struct StringsFuzzTests {
    static let text = """
        /* Ein Kommentar */
        "greeting" = "Gr\\U00fc\\U00dfe, %1$@! 👋\\n";
        'b' = 'it\\'s "so"\\101\\0';  // c
        key.word = http://x/y; "alone";
        "pair" = "\\UD83D\\UDE00";
        """

    static let files: [[UInt8]] = [
        Array(text.utf8), [0xEF, 0xBB, 0xBF] + text.utf8,
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
        [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] },
    ]

    /// Reads a file; what is accepted must mean the same to Foundation, and an error must say a line of the file.
    @discardableResult
    private func accepts(_ file: [UInt8], _ comment: @autoclosure () -> Comment) -> Bool {
        do throws(StringsProblem) {
            let strings = try StringsFile.strings(in: file)
            compare(strings, file, comment())
            return true
        } catch {
            #expect(error.line >= 1 && error.line <= file.count + 1, comment())
            return false
        }
    }

    private func compare(_ strings: [[UInt8]: String], _ file: [UInt8], _ comment: Comment) {
        // Foundation takes no empty file, and its dictionary on Linux takes two normal forms of a key for one. Both are
        // left out.
        guard let text = try? StringsText.scalars(of: file), !text.isEmpty else { return }
        // Of a single string, it makes a string.
        let list = try? unsafe PropertyListSerialization.propertyList(from: Data(file), format: nil)
        guard let theirs = list as? [String: String] else {
            Issue.record("Foundation does not read it: \(comment)")
            return
        }
        let ours = Dictionary(strings.map { (String(decoding: $0, as: UTF8.self), $1) }) { _, last in last }
        #expect(ours.count == theirs.count, comment)
        for (key, string) in ours { #expect(theirs[key].map { Array($0.utf8) } == Array(string.utf8), comment) }
    }

    @Test(arguments: files)
    func readsTheFile(_ file: [UInt8]) throws {
        #expect(accepts(file, "the file"))
        let table = try DictionaryStringTable(parsing: file)
        #expect(table.string(forKey: "greeting") == "Grüße, %1$@! 👋\n")
        #expect(table.string(forKey: "b") == "it's \"so\"A\0")
        #expect(table.string(forKey: "key.word") == "http://x/y")
        #expect(table.string(forKey: "alone") == "alone")
        #expect(table.string(forKey: "pair") == "😀")
    }

    @Test(arguments: files)
    func everyBeginningIsRefusedOrReadAsFoundationDoes(_ file: [UInt8]) {
        let accepted = (0..<file.count).count { accepts(Array(file[..<$0]), "\($0) bytes") }
        // Few, for most places are in an entry.
        #expect(accepted >= 5 && accepted < file.count / 4)
    }

    @Test(arguments: files)
    func everyBitFlippedIsRefusedOrReadAsFoundationDoes(_ file: [UInt8]) {
        let accepted = (0..<(file.count * 8)).count { accepts(flipping(bit: $0, of: file), "bit \($0)") }
        #expect(accepted > 100)
    }

    @Test func randomTokensAreRefusedOrReadAsFoundationDoes() {
        let tokens = [
            "\"", "'", "=", ";", "\\", "/", "*", "//", "/*", "*/", "\n", "\r", " ", "a", "b1", "\\U00", "\\UD83D",
            "\\UDE00",
            "\\n", "\\7", "\\q", "\"x\"", "'y'", "=\"v\";", "k=v;", "\"w\\\"\"", "é", "\u{301}", "\u{2028}", "\u{FEFF}",
            "{", "<",
            "\"é\";",
        ]
        var random = SeededRandom(seed: 0x57121)
        var accepted = 0
        for _ in 0..<10_000 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                tokens[Int.random(in: 0..<tokens.count, using: &random)]
            }.joined()
            if accepts(Array(text.utf8), "\(text.debugDescription)") { accepted += 1 }
        }
        #expect(accepted > 200, "The fuzzer finds some that are accepted.")
    }

    @Test func randomBytesNeverCrash() {
        var random = SeededRandom(seed: 0xB17E5)
        for length in 0..<300 {
            accepts(random.bytes(length), "random")
            accepts([0xFF, 0xFE] + random.bytes(length), "random UTF-16")
            accepts(Array("a = \"\\".utf8) + random.bytes(length) + Array("\";".utf8), "random string")
        }
    }
}

import PushCryptSender
import Testing

@testable import PushCryptLint

@Suite("Long text") struct LongTextTests {
    @Test("Twelve words are long", arguments: [(11, []), (12, [SensitiveText.longText])])
    func words(_ count: Int, _ kinds: [SensitiveText]) {
        let text = Array(repeating: "word", count: count).joined(separator: " ")
        #expect(SensitiveText.kinds(in: text) == kinds)
    }

    @Test(
        "More than 80 characters in seven words are long",
        arguments: [(80, []), (81, [SensitiveText.longText])])
    func characters(_ count: Int, _ kinds: [SensitiveText]) {
        let words = "a a a a a a "
        let text = words + String(repeating: "a", count: count - words.count)
        #expect(SensitiveText.kinds(in: text) == kinds)
    }

    @Test(
        "Six long words aren't long",
        arguments: ["a a a a a ", "https://example.com/a/b/c/d/e/f/g "])
    func fewWords(_ words: String) {
        let text = words + String(repeating: "a", count: 100)
        #expect(SensitiveText.kinds(in: text) == [])
    }

    @Test(
        "Thirty characters of a script without spaces are long",
        arguments: [(29, []), (30, [SensitiveText.longText])])
    func unspaced(_ count: Int, _ kinds: [SensitiveText]) {
        let text = String(repeating: "山", count: count)
        #expect(SensitiveText.kinds(in: text) == kinds)
    }
}

import PushCryptSender
import Testing

@testable import PushCryptLint

@Suite("One-time codes") struct OneTimeCodeTests {
    private static func words(_ table: KeyValuePairs<String, String>) -> [String] {
        table.flatMap { $0.value.split(separator: " ").map(String.init) }
    }

    @Test("Every word announces a code", arguments: words(CodeWords.announcingCodes))
    func codeWord(_ word: String) {
        #expect(SensitiveText.kinds(in: "\(word) 482913") == [.oneTimeCode])
        #expect(SensitiveText.kinds(in: "482913 = \(word.uppercased())") == [.oneTimeCode])
    }

    @Test(
        "Every word of another number rules a code out",
        arguments: words(CodeWords.announcingOtherNumbers))
    func otherWord(_ word: String) {
        #expect(SensitiveText.kinds(in: "code \(word) 482913") == [])
        #expect(SensitiveText.kinds(in: "482913 \(word), code") == [])
    }

    @Test("No word is listed twice")
    func repeatedWords() {
        let words =
            Self.words(CodeWords.announcingCodes) + Self.words(CodeWords.announcingOtherNumbers)
        #expect(Set(words).count == words.count)
    }

    @Test(
        "Short words match as whole words only",
        arguments: [("pin", [SensitiveText.oneTimeCode]), ("spin", [])])
    func shortWords(_ word: String, _ kinds: [SensitiveText]) {
        #expect(SensitiveText.kinds(in: "\(word) 4829") == kinds)
    }

    @Test(
        "A code has 4 to 8 digits or two equal groups",
        arguments: ["4829", "48291357", "482 913", "4829-1357"])
    func lengths(_ code: String) {
        #expect(SensitiveText.kinds(in: "code \(code)") == [.oneTimeCode])
    }

    @Test(
        "Other numbers aren't codes",
        arguments: [
            "code 482", "code 482913571", "code 48 29", "code 2026", "code €4829", "code 4829 €",
            "code 48.2913",
            "code 12:3000", "code x4829", "4829", "code. 4829", "code! 4829", "4829? code",
        ])
    func others(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [])
    }

    @Test(
        "The word is within 32 characters",
        arguments: [(28, [SensitiveText.oneTimeCode]), (32, [])])
    func distance(_ spaces: Int, _ kinds: [SensitiveText]) {
        let gap = String(repeating: " ", count: spaces)
        #expect(SensitiveText.kinds(in: "code\(gap)482913") == kinds)
        #expect(SensitiveText.kinds(in: "482913\(gap)code") == kinds)
    }
}

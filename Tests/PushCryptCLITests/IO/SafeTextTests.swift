import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

@Suite struct SafeTextTests {
    /// The first and the last of each range of characters that control, hide, reverse or fill.
    private static let dangerous: [UInt32] = [
        0x00, 0x09, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x9F, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160,
        0x17B4, 0x17B5, 0x180B, 0x180E, 0x180F, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A,
        0x202E, 0x2060, 0x2064, 0x2066, 0x2069, 0x206A, 0x206F, 0x2800, 0x3164, 0xFE00, 0xFE0D,
        0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0x13430, 0x1343F, 0x16FE4, 0x1BCA0, 0x1D159, 0x1D173,
        0xE0000, 0xE0001, 0xE007F, 0xE0100, 0xE01EF,
    ]

    @Test("Invisible characters and controls are escaped", arguments: dangerous)
    func invisibleCharactersAreEscaped(_ value: UInt32) throws {
        let text = "a\(try #require(Unicode.Scalar(value)))b"
        #expect(SafeText.forTerminal(text) == "a\\u{\(String(value, radix: 16, uppercase: true))}b")
        // JSON has controls as escapes only.
        guard value >= 0x7F else { return }
        let json = SafeText.json("{\"k\":\"\(text)\"}")
        #expect(json.utf8.allSatisfy { $0 < 0x7F })
        #expect(try JSONValue(parsing: json)["k"] == .string(text))
    }

    @Test(
        "Emoji and scripts stay as they are",
        arguments: [
            "❤️ ☎︎", "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪 1️⃣", "می‌خواهم", "שלום عليكم", "क्‍ष ไทย 日本語 한국어", "e\u{301}",
            "a\u{A0}b\u{3000}\nc",
        ])
    func emojiAndScriptsStay(_ text: String) {
        #expect(SafeText.forTerminal(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(
        "Time is linear in the length, with any characters",
        arguments: [
            "\u{FFF9}", "\u{200D}", "\u{FE0F}", "\u{301}", "\u{0600}", "a\u{301}", "👩‍", "🇩", "क्",
            "日", " ", "x",
        ])
    func timeIsLinear(_ character: String) {
        expectLinearTime(200) { size in
            let text = String(repeating: character, count: size)
            _ = LockScreen.drawing(NotificationContent(body: text))
        }
    }
}

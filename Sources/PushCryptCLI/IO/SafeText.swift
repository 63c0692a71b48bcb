/// Text from outside, safe for a terminal.
enum SafeText {
    /// Escapes a text, including its line breaks, so that no text can pretend to be another line.
    static func onOneLine(_ text: String) -> String { forTerminal(text).replacing("\n", with: "\\n") }

    /// Escapes the characters that move the cursor, change colors, hide, or reverse the text that follows.
    static func forTerminal(_ text: String) -> String {
        escape(text) { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
    }

    /// Escapes the same characters in JSON, without a change of any value.
    static func json(_ text: String) -> String {
        escape(text) { scalar in
            // Raw tabs and carriage returns are white space between tokens.
            if scalar == "\t" || scalar == "\r" { return " " }
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
            }.joined()
        }
    }

    private static func escape(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        text.unicodeScalars.map { isDangerous($0) ? escape($0) : String($0) }.joined()
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0: true
        // Marks that set the direction of text, and separators of lines and paragraphs.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        // Invisible characters, except the joiners in emoji and scripts.
        case 0x00AD, 0x034F, 0x180E, 0x200B, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0xE0000...0xE007F: true
        default: false
        }
    }
}

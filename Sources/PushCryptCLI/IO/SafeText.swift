/// Text from outside, safe for a terminal.
enum SafeText {
    /// Escapes a string, including its line breaks, so that it can't pretend to be another line.
    static func onOneLine(_ text: String) -> String {
        forTerminal(text).replacing("\n", with: "\\n")
    }

    /// Escapes the characters that move the cursor, change colors, hide, or reverse the text that
    /// follows.
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
        // Separators of lines and paragraphs, and characters whose invisibility Unicode's property
        // doesn't cover.
        case 0x2028, 0x2029, 0x2800, 0xFFF9...0xFFFB, 0x13430...0x1343F, 0x16FE4, 0x1D159: true
        // Emoji and scripts need the joiners and two variation selectors.
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F: false
        // Marks of direction, fillers, tags, other variation selectors.
        default: scalar.value >= 0x80 && scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}

extension String {
    /// Returns the string, filled with spaces at its end up to a number of characters.
    func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(count - self.count, 0))
    }
}

/// Makes text from outside safe for a terminal.
enum SafeText {
    /// The same on one line: line breaks are spelt out too, so that no text can pretend to be another line.
    static func onOneLine(_ text: String) -> String {
        forTerminal(text).replacing("\n", with: "\\n")
    }

    /// JSON with the same characters as escapes, which changes no value.
    static func json(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\t" || scalar == "\r" {
                // White space between tokens: in a string they have escapes already.
                result.append(" ")
            } else if isDangerous(scalar) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result.append(
                        contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
                }
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The text with every character spelt out that could move the cursor, change colours or reverse what follows.
    static func forTerminal(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isDangerous(scalar) {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0: true
        // Marks that set or override the direction of text, and the separators of lines and paragraphs.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        // What is not seen at all, but for the joiners that emoji and scripts are made with.
        case 0x00AD, 0x034F, 0x180E, 0x200B, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0xE0000...0xE007F: true
        default: false
        }
    }
}

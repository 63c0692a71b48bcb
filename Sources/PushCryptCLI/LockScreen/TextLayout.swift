/// Lays text out in the columns of a terminal.
enum TextLayout {
    /// How many columns a text takes, near enough: two for wide characters and emoji, none for what combines.
    static func width(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + width($1) }
    }

    /// A text with spaces behind it.
    static func padded(_ text: String, width: Int) -> String {
        text + String(repeating: " ", count: max(width - self.width(text), 0))
    }

    /// A text in lines of at most some columns, broken at spaces where there are any.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, self.width(line) + 1 + self.width(word) > width {
                lines.append(line)
                line = ""
            } else if !line.isEmpty {
                line += " "
            }
            for character in word {
                if self.width(line) + self.width(character) > width {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        return lines + [line]
    }

    private static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        let isEmoji =
            first.properties.isEmojiPresentation
            || character.unicodeScalars.contains { $0.value == 0xFE0F }
        if isEmoji { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default:
            let category = first.properties.generalCategory
            return category == .nonspacingMark || category == .enclosingMark || category == .format ? 0 : 1
        }
    }
}

internal import PushCryptReceiver

/// A notification as a lock screen shows it.
enum LockScreen {
    /// Returns the title, subtitle and body, one line each.
    static func plainText(_ content: NotificationContent) -> String { lines(content).joined(separator: "\n") }

    /// Returns a banner with a frame, at most 48 columns wide, that fits the terminal.
    static func drawing(_ content: NotificationContent, indentation: Int = 0) -> String {
        let width = max(min(48, Output.columns - indentation), 20)
        let inner = width - 4
        let header = "YOUR APP" + String(repeating: " ", count: inner - 11) + "now"
        let text = lines(content).flatMap { wrapped($0, width: inner) }
        let rows = ([header] + text).map { "│ \(padded($0, width: inner)) │" }
        let bar = String(repeating: "─", count: width - 2)
        return (["╭\(bar)╮"] + rows + ["╰\(bar)╯"]).joined(separator: "\n")
    }

    private static func lines(_ content: NotificationContent) -> [String] {
        [content.title, content.subtitle, content.body].filter { !$0.isEmpty }.flatMap {
            SafeText.forTerminal($0).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    // MARK: Columns

    /// Returns a text with spaces behind it.
    static func padded(_ text: String, width: Int) -> String {
        text + String(repeating: " ", count: max(width - columns(text), 0))
    }

    /// Returns lines of at most some columns, broken at spaces where possible.
    static func wrapped(_ text: String, width: Int) -> [String] {
        // With its columns: a line has any number of characters without a column.
        var lines = [(text: "", columns: 0)]
        func append(_ character: Character) {
            if lines[lines.count - 1].columns + columns(character) > width { lines.append(("", 0)) }
            lines[lines.count - 1].text.append(character)
            lines[lines.count - 1].columns += columns(character)
        }
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0, lines[lines.count - 1].columns + 1 + columns(word) <= width {
                append(" ")
            } else if !lines[lines.count - 1].text.isEmpty {
                lines.append(("", 0))
            }
            word.forEach(append)
        }
        return lines.map(\.text)
    }

    /// Returns the columns that a text takes: two for a wide character or an emoji, none for a combining one.
    static func columns(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns($1) } }

    private static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation || character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) {
            return 2
        }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default:
            return [.nonspacingMark, .enclosingMark, .format].contains(first.properties.generalCategory) ? 0 : 1
        }
    }
}

internal import PushCryptReceiver

/// A notification as a lock screen shows it.
enum LockScreen {
    /// Returns the title, subtitle and body, one line each.
    static func plainText(_ content: NotificationContent) -> String {
        [content.title, content.subtitle, content.body].filter { !$0.isEmpty }.map(
            SafeText.forTerminal
        )
        .joined(separator: "\n")
    }

    /// Returns a banner that fits the terminal, at most 48 characters wide.
    static func drawing(_ content: NotificationContent, indentation: Int = 0) -> String {
        let width = max(min(48, TerminalWidth.columns - indentation), 20) - 2
        return "YOUR APP\n\(plainText(content))".split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .flatMap { wrapped($0, width: width) }.map { "┃ \($0)" }.joined(separator: "\n")
    }

    /// Returns lines of at most some characters, broken at spaces where possible.
    private static func wrapped(_ text: Substring, width: Int) -> [Substring] {
        var lines = [Substring]()
        var rest = text
        while let end = rest.index(rest.startIndex, offsetBy: width, limitedBy: rest.endIndex),
            end < rest.endIndex
        {
            let space = rest[...end].lastIndex(of: " ") ?? rest.startIndex
            let next = space > rest.startIndex ? space : end
            lines.append(rest[..<next])
            rest = rest[next...].drop { $0 == " " }
        }
        return lines + [rest]
    }
}

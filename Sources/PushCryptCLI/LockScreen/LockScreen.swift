internal import PushCryptReceiver

/// Draws a notification as a lock screen would show it.
enum LockScreen {
    /// The text alone, a line for each of title, subtitle and body that is there.
    static func plainText(_ content: NotificationContent) -> String {
        lines(content).joined(separator: "\n")
    }

    /// A banner with a frame.
    ///
    /// - Parameters:
    ///   - content: what it shows.
    ///   - width: how many columns the banner takes, its frame included.
    /// - Returns: lines of exactly that width.
    static func drawing(_ content: NotificationContent, width: Int = 48) -> String {
        let inner = width - 4
        let top = "YOUR APP"
        let now = "now"
        let header = top + String(repeating: " ", count: inner - top.count - now.count) + now
        let text = lines(content).flatMap { TextLayout.wrapped($0, width: inner) }
        let rows = ([header] + text).map { "│ \(TextLayout.padded($0, width: inner)) │" }
        let bar = String(repeating: "─", count: width - 2)
        return (["╭\(bar)╮"] + rows + ["╰\(bar)╯"]).joined(separator: "\n")
    }

    private static func lines(_ content: NotificationContent) -> [String] {
        [content.title, content.subtitle, content.body].filter { !$0.isEmpty }.flatMap {
            SafeText.forTerminal($0).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

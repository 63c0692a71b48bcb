internal import PushCryptReceiver

/// A notification as a lock screen shows it.
enum LockScreen {
    /// Returns the title, subtitle and body, one line each.
    static func plainText(_ content: NotificationContent) -> String {
        [content.title, content.subtitle, content.body].filter { !$0.isEmpty }.map(SafeText.forTerminal)
            .joined(separator: "\n")
    }

    /// Returns a banner, which the terminal wraps.
    static func drawing(_ content: NotificationContent) -> String {
        "YOUR APP\n\(plainText(content))".split(separator: "\n", omittingEmptySubsequences: false)
            .map { "┃ \($0)" }.joined(separator: "\n")
    }
}

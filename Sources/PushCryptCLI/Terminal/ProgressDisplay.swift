internal import Foundation

/// A line on the terminal that changes while a command works; nothing if standard error goes elsewhere.
struct ProgressDisplay {
    let isVisible: Bool
    /// The time of the last display; `nil` if the line is empty.
    private var displayed: TimeInterval?

    /// The shortest time between two displays in seconds.
    static let interval = 0.2

    init(isVisible: Bool = true) { self.isVisible = isVisible && isatty(STDERR_FILENO) == 1 }

    /// Replaces the line, five times a second at most.
    mutating func show(_ text: () -> String) {
        guard isVisible else { return }
        let now = Clock.now
        guard displayed.map({ now > $0 + Self.interval }) ?? true else { return }
        displayed = now
        write("\r\(text())\u{1B}[K")
    }

    /// Empties the line.
    mutating func clear() {
        guard displayed != nil else { return }
        displayed = nil
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}

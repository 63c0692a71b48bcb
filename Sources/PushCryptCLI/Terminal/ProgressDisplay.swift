internal import Foundation

/// A line on the terminal that changes while a command works; nothing if standard error goes
/// elsewhere.
struct ProgressDisplay {
    let isVisible: Bool
    /// The time of the last display; `nil` if the line is empty.
    private var displayed: TimeInterval?

    /// The shortest time between two displays in seconds.
    static let interval = 0.2

    init(isVisible: Bool = true) { self.isVisible = isVisible && isatty(STDERR_FILENO) == 1 }

    /// A Boolean value that indicates whether the line is to be replaced: five times a second at
    /// most.
    var isDue: Bool { isVisible && displayed.map { Clock.now > $0 + Self.interval } ?? true }

    /// Replaces the line.
    mutating func show(_ text: String) {
        guard isVisible else { return }
        displayed = Clock.now
        write("\r\(text)\u{1B}[K")
    }

    /// Empties the line.
    mutating func clear() {
        guard displayed != nil else { return }
        displayed = nil
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

internal import Foundation

/// The percentage of a task with a file of more than 1 MB, on a terminal alone.
struct Progress {
    private let isVisible = isatty(STDERR_FILENO) == 1
    private var shown = -1

    /// Shows the number of bytes that are done.
    mutating func update(_ done: Int, of length: Int) {
        guard isVisible, length > 1_000_000, case let percent = min(100 * done / length, 100), percent != shown else {
            return
        }
        shown = percent
        let text = percent == 100 ? "\r\u{1B}[K" : "\r\(percent) % done"
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

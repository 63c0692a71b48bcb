internal import Foundation

/// The percentage of a long task on a terminal, and nothing elsewhere.
struct Progress {
    private let total: Int
    private var shown = -1

    /// Begins a task with a file, whose progress is shown if it has more than 1 MB.
    init(_ path: String) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let length = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        total = isatty(STDERR_FILENO) == 1 && length > 1_000_000 ? length : 0
    }

    /// Shows that a number of bytes is done.
    mutating func update(_ done: Int) {
        guard total > 0, case let percent = min(100 * done / total, 100), percent != shown else { return }
        shown = percent
        try? FileHandle.standardError.write(contentsOf: Data("\r\(percent) %\(percent == 100 ? "\r     \r" : "")".utf8))
    }
}

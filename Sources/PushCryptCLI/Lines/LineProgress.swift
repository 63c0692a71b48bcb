internal import Dispatch
internal import Foundation

/// The counts of lines, which the progress on a terminal and the summary display.
struct LineProgress {
    /// The number of lines that have answers, in the output from an earlier run too.
    var lines: Int
    var refused = 0
    private let isVisible: Bool
    private let skippedLines: Int
    private let skippedBytes: Int
    private let start = DispatchTime.now().uptimeNanoseconds
    /// The time of the last display in seconds; 0 before the first one.
    private var displayed = 0.0

    init(isVisible: Bool, skippedLines: Int, skippedBytes: Int) {
        self.isVisible = isVisible && isatty(STDERR_FILENO) == 1
        self.skippedLines = skippedLines
        self.skippedBytes = skippedBytes
        lines = skippedLines
    }

    private var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 + 1e-9 }

    private var answered: Int { lines - skippedLines }

    /// Displays the number of lines, their rate, and the remaining time if the length of the input is known.
    mutating func update(_ bytes: Int, of length: Int) {
        guard isVisible else { return }
        let seconds = seconds
        guard displayed == 0 || seconds > displayed + 0.2 else { return }
        displayed = seconds
        let rate = Int(Double(answered) / seconds)
        let minutes = seconds * Double(length - bytes) / Double(bytes - skippedBytes) / 60
        let time = length > 0 ? String(format: ", %.1f minutes left", minutes) : ""
        let text = "\r\(lines) lines, \(rate) per second\(time)\u{1B}[K"
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Removes the displayed progress.
    func clear() {
        if displayed > 0 { try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8)) }
    }

    /// Displays the summary.
    func end() {
        clear()
        let seconds = seconds
        let time = String(format: "%.1f s, %.0f per second", seconds, Double(answered) / seconds)
        let before = skippedLines > 0 ? "; the output had \(skippedLines)" : ""
        Output.hint(
            "answered \(answered) line\(answered == 1 ? "" : "s"), and refused \(refused) of them, in \(time)\(before)")
    }
}

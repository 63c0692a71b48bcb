internal import Dispatch
internal import Foundation

/// The progress on a terminal, and the summary.
struct LineProgress {
    /// The number of lines that have answers.
    var lines: Int
    var refused = 0
    private let isVisible: Bool
    /// The number of lines, and of their bytes, that are skipped.
    private let skipped: (lines: Int, bytes: Int)
    private let start = DispatchTime.now().uptimeNanoseconds
    private var shown = 0.0

    init(isVisible: Bool, skipped lines: Int, _ bytes: Int) {
        self.isVisible = isVisible && isatty(STDERR_FILENO) == 1
        (self.lines, skipped) = (lines, (lines, bytes))
    }

    private var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 + 1e-9 }

    /// Shows the number of lines, their rate, and the remaining time if the length of the input is known.
    mutating func update(_ bytes: Int, of length: Int) {
        guard isVisible, case let seconds = seconds, shown == 0 || seconds > shown + 0.2 else { return }
        shown = seconds
        let minutes = seconds * Double(length - bytes) / Double(bytes - skipped.bytes) / 60
        let time = length > 0 ? String(format: ", %.1f minutes left", minutes) : ""
        let text = "\r\(lines) lines, \(Int(Double(lines - skipped.lines) / seconds)) per second\(time)\u{1B}[K"
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Shows the summary.
    func end() {
        if shown > 0 { try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8)) }
        let time = String(format: "%.1f s, %.0f per second", seconds, Double(lines - skipped.lines) / seconds)
        let before = skipped.lines > 0 ? "; \(skipped.lines) were in the output" : ""
        Output.hint("answered \(lines - skipped.lines) lines, and refused \(refused) of them, in \(time)\(before)")
    }
}

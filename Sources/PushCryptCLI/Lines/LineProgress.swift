internal import Foundation

/// The counts of lines, which the progress on a terminal and the summary display.
struct LineProgress {
    /// The number of lines that have answers, in the output from an earlier run too.
    private(set) var lines: Int
    private(set) var refused = 0
    private var display: ProgressDisplay
    private let skippedLines: Int
    private let skippedBytes: Int
    private let start = Clock.now

    init(isVisible: Bool, skippedLines: Int, skippedBytes: Int) {
        display = ProgressDisplay(isVisible: isVisible)
        self.skippedLines = skippedLines
        self.skippedBytes = skippedBytes
        lines = skippedLines
    }

    /// A Boolean value that indicates whether a terminal shows the progress.
    var isVisible: Bool { display.isVisible }

    private var seconds: Double { Clock.now - start + 1e-9 }

    private var answered: Int { lines - skippedLines }

    /// Counts an answer.
    mutating func add(isRefused: Bool) {
        lines += 1
        if isRefused { refused += 1 }
    }

    /// Displays the number of lines, and their rate and the remaining time if the length of the
    /// input is known, or the reason why none is answered.
    mutating func update(_ bytes: Int, of length: Int, state: String? = nil) {
        guard display.isDue else { return }
        if let state { return display.show("\(lines) lines, \(state)") }
        let seconds = seconds
        let rate = Int(Double(answered) / seconds)
        let minutes = seconds * Double(length - bytes) / Double(bytes - skippedBytes) / 60
        let time =
            length > 0 && minutes.isFinite ? String(format: ", %.1f minutes left", minutes) : ""
        display.show("\(lines) lines, \(rate) per second\(time)")
    }

    /// Removes the displayed progress.
    mutating func clear() { display.clear() }

    /// Displays the summary.
    mutating func end() {
        clear()
        let seconds = seconds
        let time = String(format: "%.1f s, %.0f per second", seconds, Double(answered) / seconds)
        let before = skippedLines > 0 ? "; the output had \(skippedLines)" : ""
        Output.hint(
            """
            answered \(answered) line\(answered == 1 ? "" : "s"), and refused \(refused) of them, \
            in \(time)\(before)
            """)
    }
}

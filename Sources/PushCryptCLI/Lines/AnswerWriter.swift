internal import PushCryptSender

/// Writes the answers to an output, and counts them.
final class AnswerWriter {
    /// The changes of a turn.
    struct Turn {
        /// The answers that were written, in the order of the output.
        let written: [LineAnswer]
        /// The answers that wait since the last turn.
        let waiting: [NumberedAnswer]
    }

    private let output: LineOutput
    private var queue: AnswerQueue
    /// The number of answers in the output, including answers of earlier runs that were counted.
    private(set) var counts: AnswerCounts
    private(set) var progress: LineProgress
    /// The bytes of one turn, in memory that serves the next one too.
    private var bytes: [UInt8] = []

    /// Creates a writer after the answers that an output has.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - queue: The answers that aren't written.
    ///   - counts: The answers of earlier runs.
    ///   - position: The number of bytes of the input that are skipped.
    init(
        _ output: consuming LineOutput, _ queue: AnswerQueue,
        counts: AnswerCounts = AnswerCounts(), position: Int
    ) {
        progress = LineProgress(
            isVisible: !output.isTerminal, skippedLines: output.lines, skippedBytes: position)
        self.output = output
        self.queue = queue
        self.counts = counts
    }

    /// The size in memory of the answers that wait for an earlier one, in bytes.
    var size: Int { queue.size }

    func add(_ answer: LineAnswer, to number: Int) { queue.add(answer, to: number) }

    /// Writes all answers whose turn it is.
    func write() throws(PushCryptError) -> Turn {
        let turn = Turn(written: queue.takeReady(), waiting: queue.takeNewWaiting())
        guard !turn.written.isEmpty else { return turn }
        bytes.removeAll(keepingCapacity: true)
        for answer in turn.written {
            bytes += answer.bytes
            bytes.append(UInt8(ascii: "\n"))
            counts.add(answer.kind)
            progress.add(isRefused: answer.kind != .accepted)
        }
        try output.write(bytes)
        return turn
    }

    /// The answers that wait, in the order of their lines.
    var allWaiting: [NumberedAnswer] { queue.allWaiting }

    /// Waits until the output has reached the disk.
    func sync() throws(PushCryptError) { try output.finish() }

    /// Displays the progress on a terminal.
    func show(_ state: String? = nil, position: Int, of length: Int) {
        progress.update(position, of: length, state: state)
    }

    /// Removes the progress from the terminal, so that an error has a line of its own.
    func clear() { progress.clear() }

    /// Removes the progress from the terminal, and displays the summary.
    func showSummary() { progress.end() }
}

internal import PushCryptSender

/// Writes the answers to an output, and counts them.
final class AnswerWriter {
    private let output: LineOutput
    private var queue: AnswerQueue
    /// The end of the output.
    private(set) var mark: OutputMark
    /// The number of answers in the output, including answers of earlier runs.
    private(set) var counts: AnswerCounts
    private(set) var progress: LineProgress
    /// The bytes of one turn, in memory that serves the next one too.
    private var bytes: [UInt8] = []

    init(
        _ output: consuming LineOutput, after earlier: EarlierRun, keepsOrder: Bool,
        progress: LineProgress
    ) {
        self.output = output
        self.progress = progress
        queue = AnswerQueue(
            keepsOrder: keepsOrder, after: earlier.written.lengthOfStart, earlier.answers)
        mark = earlier.mark
        counts = earlier.counts
    }

    /// The size in memory of the answers that wait for an earlier one, in bytes.
    var size: Int { queue.size }

    func add(_ answer: LineAnswer, to number: Int) { queue.add(answer, to: number) }

    /// Writes all answers whose turn it is.
    func write() throws(PushCryptError) {
        let answers = queue.takeReady()
        guard !answers.isEmpty else { return }
        bytes.removeAll(keepingCapacity: true)
        for answer in answers {
            bytes += answer.bytes
            bytes.append(UInt8(ascii: "\n"))
            mark.add(answer.bytes)
            counts.add(answer.kind)
            progress.add(isRefused: answer.kind != .sent)
        }
        try output.write(bytes)
    }

    /// Returns records of the answers that wait since the last call.
    func takeNewRecords() -> [JournalRecord] {
        queue.takeNewWaiting().map { .answer($0.answer, number: $0.number) }
    }

    /// The records of all answers that wait.
    var records: [JournalRecord] { queue.allWaiting.map { .answer($0.answer, number: $0.number) } }

    /// Waits until the output has reached the disk.
    func sync() throws(PushCryptError) { try output.finish() }

    /// Displays the progress on a terminal.
    func show(_ state: String?, position: Int, of length: Int) {
        progress.update(position, of: length, state: state)
    }

    /// Removes the progress from the terminal, so that an error has a line of its own.
    func clear() { progress.clear() }

    /// Removes the progress from the terminal, and displays the summary.
    func showSummary() { progress.end() }
}

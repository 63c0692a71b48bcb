internal import PushCryptSender

/// Writes the answers in the order of the lines.
///
/// A write that waits for the output holds a thread of Swift's pool.
actor LineWriter {
    private struct AnsweredBatch {
        let results: [LineResult]
        let position: Int
    }

    private let output: LineOutput
    /// The length of the input in bytes if it is known; otherwise 0.
    private let inputLength: Int
    private(set) var progress: LineProgress
    /// The batches that wait for an earlier one, by their indices.
    private var waiting: [Int: AnsweredBatch] = [:]
    private var nextIndex = 0
    /// The bytes of one batch, in memory that serves the next one too.
    private var bytes: [UInt8] = []

    init(_ output: consuming LineOutput, _ progress: LineProgress, inputLength: Int) {
        self.output = output
        self.progress = progress
        self.inputLength = inputLength
    }

    /// Writes the answers to a batch, and those that waited for it, unless it waits itself.
    ///
    /// After an error nothing is written anymore, because the batch of the error never gets its
    /// turn again.
    ///
    /// - Returns: The number of batches that were written.
    func write(_ results: [LineResult], of batch: LineBatch) throws(PushCryptError) -> Int {
        waiting[batch.index] = AnsweredBatch(results: results, position: batch.position)
        var count = 0
        while let batch = waiting.removeValue(forKey: nextIndex) {
            try write(batch)
            nextIndex += 1
            count += 1
        }
        return count
    }

    /// Waits until the output has reached the disk, and displays the summary.
    ///
    /// - Returns: The number of lines that were rejected.
    func finish() throws(PushCryptError) -> Int {
        try output.finish()
        progress.end()
        return progress.refused
    }

    /// Removes the progress from the terminal, so that an error has a line of its own.
    func stop() { progress.clear() }

    private func write(_ batch: AnsweredBatch) throws(PushCryptError) {
        bytes.removeAll(keepingCapacity: true)
        for result in batch.results { result.write(to: &bytes) }
        try output.write(bytes)
        for result in batch.results { progress.add(isRefused: result.isRefused) }
        progress.update(batch.position, of: inputLength)
    }
}

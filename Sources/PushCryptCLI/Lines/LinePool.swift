internal import Dispatch
internal import Foundation
internal import PushCryptSender

/// Answers lines in batches on several threads.
final class LinePool<Work: LineWork>: LineAnswerer {
    /// The answers to the lines of a batch.
    struct Batch: Sendable {
        /// The thread that has answered them.
        let thread: Int
        /// The number of the first line.
        let firstNumber: Int
        let answers: [LineAnswer]
    }

    /// The maximum number of batches of a thread: one at work, and one that is next.
    private static var maximumBatches: Int { 2 }
    /// The size in bytes of the answers that may wait for an earlier one, for each thread.
    private static var maximumSize: Int { 1 << 18 }

    private let work: Work
    private let linesInBatch: Int
    private let lines: LinePipeline<Batch>
    private let threads: [DispatchQueue]
    /// The number of batches of each thread without answers.
    private var loads: [Int]

    /// Starts to read an input after the lines that an output answers.
    init(
        _ work: Work, threads count: Int, linesInBatch: Int = 16, reader: LineReader,
        writer: AnswerWriter
    ) {
        self.work = work
        self.linesInBatch = linesInBatch
        lines = LinePipeline(
            reader, after: writer.progress.lines, refusesPartOfLine: false, writer: writer,
            maximumSize: count * Self.maximumSize)
        threads = (0..<count).map { _ in
            DispatchQueue(label: "pushcrypt.lines", target: .global())
        }
        loads = [Int](repeating: 0, count: count)
    }

    /// Answers all lines and ends the output.
    ///
    /// - Returns: The number of answers of each kind.
    /// - Throws: The first failure of the output or of the input. After an error of the input, all
    ///   lines that were read have their answers.
    func run() throws(PushCryptError) -> AnswerCounts {
        do throws(PushCryptError) {
            if let failure = try lines.run(self).failure { throw failure }
            try lines.writer.sync()
        } catch {
            waitForBatches()
            lines.writer.clear()
            throw error
        }
        lines.writer.showSummary()
        return lines.writer.counts
    }

    func turn() throws(PushCryptError) -> LinePipeline<Batch>.InputEnd? {
        // The threads work while this one writes.
        startBatches()
        if try !lines.writer.write().written.isEmpty { lines.show() }
        return atWork == 0 ? lines.endOfLines : nil
    }

    func receive(_ batch: Batch) {
        loads[batch.thread] -= 1
        for (index, answer) in batch.answers.enumerated() {
            lines.writer.add(answer, to: batch.firstNumber + index)
        }
    }

    /// The number of batches without answers.
    private var atWork: Int { loads.reduce(0, +) }

    private func startBatches() {
        while let thread = idlestThread, lines.hasRoom(beside: atWork) {
            let number = lines.number + 1
            guard let batch = lines.nextBatch(atMost: linesInBatch) else { return }
            loads[thread] += 1
            threads[thread].async { [work, inbox = lines.inbox] in
                let answers = Self.answers(to: batch, from: number, work)
                inbox.post(.report(Batch(thread: thread, firstNumber: number, answers: answers)))
            }
        }
    }

    /// The thread with the fewest batches; `nil` if each has as many as it may have.
    private var idlestThread: Int? {
        let thread = loads.indices.min { loads[$0] < loads[$1] }
        return thread.flatMap { loads[$0] < Self.maximumBatches ? $0 : nil }
    }

    private static func answers(
        to batch: ArraySlice<Line>, from number: Int, _ work: Work
    ) -> [LineAnswer] {
        var work = work
        var answers: [LineAnswer] = []
        answers.reserveCapacity(batch.count)
        for (index, line) in batch.enumerated() {
            answers.append(work.answer(line, number: number + index))
        }
        return answers
    }

    /// Waits for the batches at work, whose answers have no output.
    private func waitForBatches() {
        var events: [LinePipeline<Batch>.Event] = []
        while atWork > 0 {
            lines.inbox.take(into: &events)
            for case .report(let batch) in events { receive(batch) }
        }
    }
}

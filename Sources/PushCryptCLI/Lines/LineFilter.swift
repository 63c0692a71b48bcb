internal import Dispatch
internal import PushCryptSender

/// The work on one line, of which each thread has a copy.
protocol LineWork: Sendable {
    /// Sets the answer to a line.
    mutating func answer(
        _ line: [UInt8], _ document: JSONDocument, _ answer: inout LineAnswer) throws(PushCryptError)
}

/// Answers each line with one line, in order, on several threads.
struct LineFilter<Work: LineWork>: LineAnswers {
    let work: Work
    let threads: Int

    func write(
        to output: borrowing LineOutput, reading reader: LineReader, _ progress: inout LineProgress
    ) throws(PushCryptError) {
        // These are in memory at once.
        let most = min(max(32 * threads, 128), 2048)
        while case let batch = try reader.next(atMost: most), !batch.lines.isEmpty {
            var bytes: [UInt8] = []
            for answer in answers(to: batch.lines, batch.bytes, progress.lines + 1) {
                bytes += answer.bytes
                progress.refused += answer.isRefused ? 1 : 0
                guard bytes.count > 1 << 14 else { continue }
                try output.write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            try output.write(bytes)
            progress.lines += batch.lines.count
            progress.update(reader.position, of: reader.length)
        }
    }

    private func answers(to lines: [Range<Int>?], _ bytes: [UInt8], _ firstNumber: Int) -> [LineAnswer] {
        let state = LockedValue((next: 0, answers: [LineAnswer](repeating: LineAnswer(), count: lines.count)))
        DispatchQueue.concurrentPerform(iterations: min(threads, lines.count)) { _ in
            var work = work
            while true {
                let index = state.withLock { state in
                    defer { state.next += 1 }
                    return state.next
                }
                guard index < lines.count else { return }
                let answer = Self.answer(lines[index].map { Array(bytes[$0]) }, firstNumber + index, by: &work)
                state.withLock { $0.answers[index] = answer }
            }
        }
        return state.withLock { $0.answers }
    }

    /// Returns the answer to a line, or the error for which the line is refused.
    private static func answer(_ line: [UInt8]?, _ number: Int, by work: inout Work) -> LineAnswer {
        let hidden = ["to", "payload", "headers"] + LineSealing.options
        return LineAnswer(to: line, number, hiding: hidden) { (line, document, answer) throws(PushCryptError) in
            try work.answer(line, document, &answer)
        }
    }
}

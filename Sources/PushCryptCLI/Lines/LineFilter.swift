internal import Dispatch
internal import Foundation
internal import PushCryptSender

/// The work on lines, of which each batch of lines has a copy.
protocol LineWork: Sendable {
    /// Returns the answer to a line, or to one that is too long.
    mutating func answer(_ line: [UInt8]?, _ number: Int) async -> LineAnswer
}

/// Answers each line with one line, in order.
struct LineFilter<Work: LineWork>: Sendable {
    private typealias Batch = Task<([LineAnswer], Int), Never>

    let work: Work
    /// The most lines of a batch, and the most batches at work and in memory.
    let (lines, concurrency, window): (Int, Int, Int)

    func run(
        _ reader: LineReader, _ output: borrowing LineOutput, _ progress: inout LineProgress
    ) throws(PushCryptError) {
        let (batches, length) = (LockedValue<[Result<Batch?, PushCryptError>]>([]), reader.length)
        // A semaphore must not end below its first value, as it would if the output fails.
        let (room, ready) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<window { room.signal() }
        // A thread of its own: an answer, or the end of the output, doesn't wait for input.
        Thread { [before = progress.lines] in
            read(reader, after: before) { batch in
                room.wait()
                batches.withLock { $0.append(batch()) }
                ready.signal()
            }
        }.start()
        while true {
            ready.wait()
            defer { room.signal() }
            guard let batch = try batches.withLock({ $0.removeFirst() }).get() else { return }
            let (answers, position) = waiting { await batch.value }
            if let failure = answers.first(where: \.isForAllLines)?.error { throw failure }
            try output.write(answers.flatMap(\.bytes))
            progress.lines += answers.count
            progress.refused += answers.count { $0.status != .success }
            progress.update(position, of: length)
        }
    }

    /// Reads batches, and begins the work on them.
    private func read(_ reader: LineReader, after before: Int, add: (() -> Result<Batch?, PushCryptError>) -> Void) {
        let idle = DispatchSemaphore(value: concurrency)
        do throws(PushCryptError) {
            var number = before
            while case let batch = try reader.next(atMost: lines), !batch.lines.isEmpty {
                let lines = batch.lines.map { $0.map { Array(batch.bytes[$0]) } }
                idle.wait()
                let task = { [number, position = reader.position] in
                    Task {
                        defer { idle.signal() }
                        var (work, answers) = (work, [LineAnswer]())
                        for line in lines { answers.append(await work.answer(line, number + answers.count + 1)) }
                        return (answers, position)
                    }
                }
                add { .success(task()) }
                number += lines.count
            }
            add { .success(nil) }
        } catch {
            add { .failure(error) }
        }
    }
}

internal import Dispatch
internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The batches of an input, in order.
///
/// One thread of its own reads them, because a read waits. It reads a batch when a worker is idle,
/// so slow work slows the reading. It is never more than a maximum number of batches ahead of those
/// that are reported as written, so a slow output slows the reading too.
struct LineBatches: AsyncSequence, Sendable {
    private struct End {
        /// The error of the input or of the filter.
        var failure: PushCryptError?
        /// A Boolean value that indicates whether the filter has stopped, and takes no more
        /// batches.
        var isStopped = false
    }

    private let stream: AsyncStream<LineBatch>
    private let continuation: AsyncStream<LineBatch>.Continuation
    /// Counts the workers without a batch.
    private let idleWorkers: DispatchSemaphore
    /// Counts the batches for which there is room in memory.
    private let room: DispatchSemaphore
    private let end = LockedValue(End())

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - reader: The input, which no other thread uses.
    ///   - count: The number of lines before the first batch.
    ///   - size: The maximum number of lines in a batch.
    ///   - workers: The maximum number of batches at work.
    ///   - maximumUnwritten: The maximum number of batches that are read and not written.
    init(_ reader: LineReader, after count: Int, size: Int, workers: Int, maximumUnwritten: Int) {
        let ends = AsyncStream.makeStream(of: LineBatch.self)
        stream = ends.stream
        continuation = ends.continuation
        // Dispatch ends the process if a semaphore is released with less than its first value, as
        // it would be if the output fails. So it starts at 0.
        idleWorkers = DispatchSemaphore(value: 0)
        for _ in 0..<workers { idleWorkers.signal() }
        room = DispatchSemaphore(value: 0)
        addRoom(for: maximumUnwritten)
        let batches = self
        Thread { batches.read(reader, after: count, size: size) }.start()
    }

    /// The error that has ended the input or stopped the filter.
    var failure: PushCryptError? { end.withLock { $0.failure } }

    var isStopped: Bool { end.withLock { $0.isStopped } }

    /// Lets the thread read a batch for the worker that has answered one.
    func endWork() { idleWorkers.signal() }

    /// Lets the thread read more batches, as many as were written.
    func addRoom(for count: Int) {
        for _ in 0..<count { room.signal() }
    }

    /// Ends the sequence at once, even while the thread waits for input.
    func stop(_ failure: PushCryptError) {
        let isFirst = end.withLock { end in
            guard !end.isStopped else { return false }
            end = End(failure: failure, isStopped: true)
            return true
        }
        guard isFirst else { return }
        continuation.finish()
        idleWorkers.signal()
        room.signal()
    }

    private func read(_ reader: LineReader, after count: Int, size: Int) {
        do throws(PushCryptError) {
            var index = 0
            var number = count + 1
            while let lines = try nextLines(of: reader, atMost: size) {
                let batch = LineBatch(
                    index: index, firstNumber: number, lines: lines, position: reader.position)
                continuation.yield(batch)
                index += 1
                number += lines.count
            }
        } catch {
            // A failure of the output comes before this one.
            end.withLock { end in end.failure = end.failure ?? error }
        }
        continuation.finish()
    }

    /// Waits for a worker, for room and for lines; returns `nil` at the end.
    private func nextLines(of reader: LineReader, atMost size: Int) throws(PushCryptError)
        -> [Line]?
    {
        idleWorkers.wait()
        room.wait()
        guard !isStopped else { return nil }
        let lines = try reader.next(atMost: size)
        return lines.isEmpty ? nil : lines
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let batches: LineBatches
        fileprivate var iterator: AsyncStream<LineBatch>.Iterator

        mutating func next() async -> LineBatch? {
            let batch = await iterator.next()
            return batches.isStopped ? nil : batch
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(batches: self, iterator: stream.makeAsyncIterator())
    }
}

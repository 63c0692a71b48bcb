internal import Dispatch
internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// Reads the lines of an input on a thread of its own, because a read waits.
///
/// It is never more than a few chunks ahead of those that are used.
final class LineFeed: Sendable {
    /// Lines that were read together.
    struct Chunk: Sendable {
        let lines: [Line]
        /// The number of bytes of the input up to the end of these lines.
        let position: Int
    }

    /// The maximum number of chunks in memory; each has a part of the buffer of the reader.
    private static let maximumChunks = 3
    private static let maximumLines = 128

    private let refusesPartOfLine: Bool
    private let room = DispatchSemaphore(value: 0)
    private let isStopped = LockedValue(false)

    /// Starts to read, and calls closures on the thread.
    ///
    /// - Parameters:
    ///   - reader: The input, which no other thread uses.
    ///   - refusesPartOfLine: A Boolean value that indicates whether a part of a line at the end of
    ///     the input is an error, and no line.
    ///   - chunk: The closure that gets each chunk.
    ///   - end: The closure that gets the error at the end.
    init(
        _ reader: LineReader, refusesPartOfLine: Bool = true,
        chunk: @escaping @Sendable (Chunk) -> Void,
        end: @escaping @Sendable (PushCryptError?) -> Void
    ) {
        self.refusesPartOfLine = refusesPartOfLine
        for _ in 0..<Self.maximumChunks { room.signal() }
        Thread { [self] in
            do throws(PushCryptError) {
                while let lines = try next(of: reader) {
                    chunk(Chunk(lines: lines, position: reader.position))
                }
                end(nil)
            } catch {
                end(error)
            }
        }.start()
    }

    /// Lets the thread read another chunk for one that is used.
    func use() { room.signal() }

    /// Ends the thread, unless it waits for input.
    func stop() {
        isStopped.withLock { $0 = true }
        room.signal()
    }

    private func next(of reader: LineReader) throws(PushCryptError) -> [Line]? {
        room.wait()
        if isStopped.withLock({ $0 }) { return nil }
        let lines = try reader.next(atMost: Self.maximumLines)
        if reader.hasTornEnd, refusesPartOfLine { try checkIsWhole(lines) }
        return lines.isEmpty ? nil : lines
    }

    /// Throws an error if a last line without a line break isn't an object.
    ///
    /// Its writer couldn't complete it. An answer to it would keep a later run from sending the
    /// whole line.
    private func checkIsWhole(_ lines: [Line]) throws(PushCryptError) {
        guard let line = lines.first, (try? LineMembers(scanning: line, number: 0)) == nil else {
            return
        }
        throw PushCryptError(
            .malformedJSON,
            "The input ends in the middle of a line. Check the command that writes it.")
    }
}

/// The lines that were read, and that nothing has been done for.
struct LineBacklog {
    private var chunks: [LineFeed.Chunk] = []
    private var index = 0
    /// The number of the last line that was taken.
    private(set) var number: Int
    /// The number of bytes of the input up to the end of the last chunk whose lines were taken.
    private(set) var position: Int

    init(after number: Int, position: Int) {
        self.number = number
        self.position = position
    }

    var isEmpty: Bool { chunks.isEmpty }

    /// The number of bytes of the input up to the end of the last line that was taken, as if the
    /// lines of a chunk had the same length.
    var estimatedPosition: Int {
        guard let chunk = chunks.first else { return position }
        return position + (chunk.position - position) * index / chunk.lines.count
    }

    mutating func add(_ chunk: LineFeed.Chunk) { chunks.append(chunk) }

    mutating func removeAll() { chunks = [] }

    /// Takes the next line, and calls a closure if it was the last one of its chunk.
    mutating func next(endOfChunk: () -> Void) -> Line? {
        nextBatch(atMost: 1, endOfChunk: endOfChunk)?.first
    }

    /// Takes the next lines of a chunk, and calls a closure if they were its last ones.
    mutating func nextBatch(atMost count: Int, endOfChunk: () -> Void) -> ArraySlice<Line>? {
        guard let chunk = chunks.first else { return nil }
        let lines = chunk.lines[index...].prefix(count)
        number += lines.count
        index += lines.count
        if index == chunk.lines.count {
            index = 0
            position = chunk.position
            chunks.removeFirst()
            endOfChunk()
        }
        return lines
    }
}

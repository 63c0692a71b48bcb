internal import PushCryptSender
internal import PushCryptSystem

/// Reads lines of a file or a pipe, on one thread at a time.
final class LineReader: @unchecked Sendable {
    /// The length of the input in bytes if it is a regular file; otherwise 0.
    let length: Int

    private let file: FileDescriptor
    private var buffer: LineBuffer
    private var bytesRead = 0
    /// A Boolean value that indicates whether the input has ended with a line without its line
    /// break.
    private(set) var hasTornEnd = false

    init(_ file: consuming FileDescriptor, maximumLength: Int = Line.maximumLength) {
        buffer = LineBuffer(maximumLength: maximumLength)
        length = (try? file.length()) ?? 0
        self.file = file
    }

    /// The number of bytes of the lines so far.
    var position: Int { bytesRead - buffer.count }

    /// Returns lines as soon as there is one, and none at the end of the input.
    func next(atMost count: Int) throws(PushCryptError) -> [Line] {
        var lines: [Line] = []
        while lines.isEmpty {
            while lines.count < count, let line = buffer.nextLine() { lines.append(line) }
            guard lines.isEmpty else { break }
            guard try readMore() else {
                guard let line = buffer.lastLine() else { break }
                hasTornEnd = true
                return [line]
            }
        }
        return lines
    }

    /// Skips lines that an output answers.
    func skip(_ count: Int) throws(PushCryptError) {
        for _ in 0..<count {
            guard try skipLine() else { throw Self.inputIsShorter }
        }
    }

    /// The error of an output that can't belong to the input.
    static var inputIsShorter: PushCryptError {
        PushCryptError(
            .fileExists, "The output has more lines than the input. Name the output of this input.")
    }

    private func skipLine() throws(PushCryptError) -> Bool {
        while !buffer.discardLine() {
            guard try readMore() else { return buffer.lastLine() != nil }
        }
        return true
    }

    /// Reads available bytes, and returns `false` at the end of the input.
    private func readMore() throws(PushCryptError) -> Bool {
        let count = try buffer.append { (bytes, room) throws(PushCryptError) in
            try file.readOnce(into: &bytes, room)
        }
        bytesRead += count
        return count > 0
    }
}

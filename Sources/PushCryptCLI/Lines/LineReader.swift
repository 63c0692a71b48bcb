internal import PushCryptSender

/// Reads lines into a buffer of constant length, on one thread at a time.
final class LineReader: @unchecked Sendable {
    /// The maximum length of a line in bytes, without its line break.
    static let maximumLength = 1 << 16

    /// The length of the input in bytes if it is a regular file; otherwise 0.
    let length: Int

    private let file: FileDescriptor
    private var bytes = [UInt8](repeating: 0, count: 2 * maximumLength)
    private var (start, searched, end, bytesRead) = (0, 0, 0, 0)
    private var isTooLong = false

    init(_ file: consuming FileDescriptor) {
        length = (try? file.length()) ?? 0
        self.file = file
    }

    /// The number of bytes of the lines so far.
    var position: Int { bytesRead - (end - start) }

    /// Returns lines as soon as there is one, with `nil` for a line that is too long, and none at the end of the input.
    func next(atMost count: Int) throws(PushCryptError) -> (bytes: [UInt8], lines: [Range<Int>?]) {
        var lines: [Range<Int>?] = []
        while lines.isEmpty {
            while lines.count < count, let lineBreak = bytes[searched..<end].firstIndex(of: UInt8(ascii: "\n")) {
                lines.append(isTooLong || lineBreak - start > Self.maximumLength ? nil : start..<lineBreak)
                (start, searched, isTooLong) = (lineBreak + 1, lineBreak + 1, false)
            }
            if lines.isEmpty, try !readMore() { break }
        }
        if lines.isEmpty, isTooLong || start < end {
            lines.append(isTooLong ? nil : start..<end)
            (start, isTooLong) = (end, false)
        }
        return (bytes, lines)
    }

    /// Skips lines that an output answers.
    func skip(_ count: Int) throws(PushCryptError) {
        var number = 0
        while number < count {
            let lines = try next(atMost: min(count - number, 2048)).lines.count
            number += lines
            guard lines > 0 else {
                throw PushCryptError(
                    .fileExists, "The output has more lines than the input. Name the output of this input.")
            }
        }
    }

    /// Reads available bytes behind the start of a line, and returns `false` at the end of the input.
    private func readMore() throws(PushCryptError) -> Bool {
        isTooLong = isTooLong || end - start > Self.maximumLength
        if isTooLong { start = end }
        // The span excludes other uses of the reader.
        var buffer: [UInt8] = []
        swap(&buffer, &bytes)
        defer { swap(&buffer, &bytes) }
        for index in start..<end { buffer[index - start] = buffer[index] }
        (start, searched, end) = (0, end - start, end - start)
        var target = buffer.mutableSpan
        let count = try file.readOnce(into: &target, end..<target.count)
        (bytesRead, end) = (bytesRead + count, end + count)
        return count > 0
    }
}

internal import Foundation
internal import PushCryptSender

/// The output of answers: standard output, or a file that grows.
struct LineOutput: ~Copyable {
    /// The number of lines that the file had.
    let lines: Int
    let isTerminal: Bool
    private let file: FileDescriptor
    private let path: String
    /// The length of those lines in bytes, without a torn one.
    private let length: Int

    init(_ data: DataOptions, _ isPrivate: Bool, resumes: Bool) throws(PushCryptError) {
        isTerminal = data.isTerminal
        path = data.output
        let file =
            path == "-"
            ? FileDescriptor(owning: dup(STDOUT_FILENO), name: "standard output")
            : try .appending(path, isPrivate: isPrivate, isNew: !resumes)
        let existing = path == "-" ? (lines: 0, length: 0) : try Self.count(file, path)
        if existing.lines == 0, path != "-" { try KeyFileGuard.check(path) }
        (lines, length) = existing
        self.file = file
    }

    /// Removes a last line without its end.
    func removeTornLine() throws(PushCryptError) { if path != "-" { try file.setLength(length) } }

    /// Returns the number and the length of the lines that have their end, if the first one is an answer.
    private static func count(
        _ file: borrowing FileDescriptor, _ path: String
    ) throws(PushCryptError) -> (lines: Int, length: Int) {
        var bytes = [UInt8](repeating: 0, count: LineReader.maximumLength)
        var (lines, length, position, count) = (0, 0, 0, bytes.count)
        while count == bytes.count {
            var span = bytes.mutableSpan
            count = try file.read(into: &span)
            let firstLine = Array(position > 0 ? [] : bytes[..<count].prefix { $0 != UInt8(ascii: "\n") })
            guard position > 0 || isAnswer(firstLine, isWhole: firstLine.count < count) else {
                throw PushCryptError(.fileExists, "\(path) isn't an output of '--lines'. Name another file.")
            }
            for index in 0..<count where bytes[index] == UInt8(ascii: "\n") {
                (lines, length) = (lines + 1, position + index + 1)
            }
            position += count
        }
        return (lines, length)
    }

    /// Returns a Boolean value that indicates whether a line, of which the end may be missing, is an answer.
    private static func isAnswer(_ line: [UInt8], isWhole: Bool) -> Bool {
        guard isWhole else { return line.isEmpty || line[0] == UInt8(ascii: "{") }
        let depth = JSONDocument.maximumDepth + 1
        guard let document = try? JSONDocument(scanning: line.span, maximumDepth: depth) else { return false }
        return ["payload", "error", "status"].contains { document.member($0, in: line.span) != nil }
    }

    /// Writes lines, with escapes for a terminal.
    func write(_ bytes: [UInt8]) throws(PushCryptError) {
        let shown = isTerminal ? Array(SafeText.json(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
        try file.write(shown.span)
    }

    /// Waits until a file has reached the disk.
    func finish() throws(PushCryptError) { if path != "-" { try file.sync() } }
}

internal import Foundation
internal import PushCryptSender

/// The output of answers: standard output, or a file that grows.
struct LineOutput: ~Copyable {
    /// The number of lines that the file had.
    let lines: Int
    let isTerminal: Bool
    private let file: FileDescriptor
    private let path: String

    init(_ data: DataOptions, _ isPrivate: Bool, resumes: Bool) throws(PushCryptError) {
        isTerminal = data.isTerminal
        path = data.output
        let file =
            path == "-"
            ? FileDescriptor(owning: dup(STDOUT_FILENO), name: "standard output")
            : try .appending(path, isPrivate: isPrivate, isNew: !resumes)
        lines = path == "-" ? 0 : try Self.removeTornLine(of: file, path)
        self.file = file
    }

    /// Removes a last line without its end, and returns the number of lines.
    private static func removeTornLine(
        of file: borrowing FileDescriptor, _ path: String
    ) throws(PushCryptError) -> Int {
        var bytes = [UInt8](repeating: 0, count: LineReader.maximumLength)
        var (lines, length, position, count) = (0, 0, 0, bytes.count)
        while count == bytes.count {
            var span = bytes.mutableSpan
            count = try file.read(into: &span)
            let firstLine = position > 0 ? [] : bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
            guard !KeyFileGuard.mayHoldKeys(Array(firstLine).span) else {
                throw PushCryptError(.fileExists, "\(path) holds keys and is not continued. Name another file.")
            }
            for index in 0..<count where bytes[index] == UInt8(ascii: "\n") {
                (lines, length) = (lines + 1, position + index + 1)
            }
            position += count
        }
        if length < position { try file.setLength(length) }
        return lines
    }

    /// Writes lines, with escapes for a terminal.
    func write(_ bytes: [UInt8]) throws(PushCryptError) {
        let shown = isTerminal ? Array(SafeText.json(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
        try file.write(shown.span)
    }

    /// Waits until a file has reached the disk.
    func finish() throws(PushCryptError) { if path != "-" { try file.sync() } }
}

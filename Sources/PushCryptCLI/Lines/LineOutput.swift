internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The output of answers: standard output, or a file that grows.
struct LineOutput: ~Copyable {
    /// The lines of a file that have their line breaks.
    private struct WholeLines {
        var count = 0
        /// The length of these lines in bytes.
        var length = 0
    }

    let isTerminal: Bool
    private let file: FileDescriptor
    private let path: String
    /// The lines that the file had.
    private let existing: WholeLines

    init(_ data: DataOptions, isPrivate: Bool, resumes: Bool) throws(PushCryptError) {
        let path = data.output
        let isFile = path != "-"
        let file =
            isFile
            ? try Self.open(path, isPrivate: isPrivate, resumes: resumes)
            : FileDescriptor(owning: dup(STDOUT_FILENO), name: "standard output")
        let existing = isFile ? try Self.wholeLines(of: file, path) : WholeLines()
        if isFile, existing.count == 0 { try KeyFileGuard.check(path) }
        self.file = file
        self.path = path
        self.existing = existing
        isTerminal = data.isTerminal
    }

    private static func open(
        _ path: String, isPrivate: Bool, resumes: Bool
    ) throws(PushCryptError) -> FileDescriptor {
        do throws(PushCryptError) {
            return try FileDescriptor.appending(path, isPrivate: isPrivate, isNew: !resumes)
        } catch {
            guard error.code == .fileExists, !resumes else { throw error }
            throw PushCryptError(
                .fileExists,
                "\(path) exists already. Name another file, or continue it with '--resume'.")
        }
    }

    /// The number of lines that the file had.
    var lines: Int { existing.count }

    private var isFile: Bool { path != "-" }

    /// Removes a last line without its end.
    func removeTornLine() throws(PushCryptError) {
        guard isFile else { return }
        try file.setLength(existing.length)
    }

    /// Counts the whole lines of a file, if the first one is an answer.
    private static func wholeLines(
        of file: borrowing FileDescriptor, _ path: String
    ) throws(PushCryptError) -> WholeLines {
        var bytes = [UInt8](repeating: 0, count: Line.maximumLength)
        var lines = WholeLines()
        var position = 0
        var count = bytes.count
        while count == bytes.count {
            var span = bytes.mutableSpan
            count = try file.read(into: &span)
            guard position > 0 || beginsWithAnswer(bytes[..<count]) else {
                throw PushCryptError(
                    .fileExists, "\(path) isn't an output of '--lines'. Name another file.")
            }
            for index in 0..<count where bytes[index] == UInt8(ascii: "\n") {
                lines.count += 1
                lines.length = position + index + 1
            }
            position += count
        }
        return lines
    }

    /// Returns a Boolean value that indicates whether the first line, whose end may be missing, is
    /// an answer.
    private static func beginsWithAnswer(_ bytes: ArraySlice<UInt8>) -> Bool {
        let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
        let isWhole = line.count < bytes.count
        guard isWhole else { return line.isEmpty || line[0] == UInt8(ascii: "{") }
        let depth = JSONDocument.maximumDepth + 1
        guard let document = try? JSONDocument(scanning: line.span, maximumDepth: depth) else {
            return false
        }
        return ["payload", "error", "status"].contains { document.member($0, in: line.span) != nil }
    }

    /// Writes lines, with escapes for a terminal.
    func write(_ bytes: [UInt8]) throws(PushCryptError) {
        let shown =
            isTerminal ? Array(SafeText.json(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
        do throws(PushCryptError) {
            try file.write(shown.span)
        } catch {
            throw !isFile && Output.hasNoReader ? Output.closed : error
        }
    }

    /// Waits until a file has reached the disk.
    func finish() throws(PushCryptError) {
        guard isFile else { return }
        try file.sync()
    }
}

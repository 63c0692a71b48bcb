internal import ArgumentParser
internal import Foundation
internal import PushCryptCore

/// The input of a command: a file, or standard input.
struct InputArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("A file; - is standard input.", valueName: "input"))
    var input = "-"

    func validate() throws {
        try PathArgument.check(input, for: "input")
    }

    /// How many bytes a payload may have here: more than ten times what APNs takes, so that one that is too long is
    /// explained, and few enough that each of them may cost a line.
    static let maximumLength = 1 << 16

    /// Reads all of it.
    func read() throws(PushCryptError) -> [UInt8] {
        try Input.read(input, maximumLength: Self.maximumLength)
    }
}

enum Input {
    /// Reads a file, a pipe or standard input to its end.
    ///
    /// - Parameters:
    ///   - path: the file; - is standard input.
    ///   - maximumLength: how many bytes it may have: far more than any key or string table, and few enough for any memory.
    /// - Returns: what is in it.
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `fileSystemError` or `payloadTooLarge`.
    static func read(_ path: String, maximumLength: Int = 1 << 20) throws(PushCryptError) -> [UInt8] {
        let name = path == "-" ? "standard input" : path
        let handle = try open(path)
        var bytes: [UInt8] = []
        do {
            while bytes.count <= maximumLength, let more = try handle.read(upToCount: 1 << 16), !more.isEmpty {
                bytes += more
            }
        } catch {
            throw PushCryptError(.fileSystemError, "Cannot read \(name).")
        }
        guard bytes.count <= maximumLength else {
            throw PushCryptError(
                .payloadTooLarge, "\(name) has more than \(maximumLength) bytes, the most that is read here.")
        }
        return bytes
    }

    private static func open(_ path: String) throws(PushCryptError) -> FileHandle {
        guard path != "-" else {
            if isatty(STDIN_FILENO) == 1 { Output.hint("reading standard input; end it with Ctrl-D") }
            return .standardInput
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType != .typeDirectory else {
            throw PushCryptError(.fileSystemError, "\(path) is a folder. Name a file.")
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw PushCryptError(.fileNotFound, "There is no file \(path).")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw PushCryptError(.fileSystemError, "Cannot open \(path): check that you may read it.")
        }
        return handle
    }
}

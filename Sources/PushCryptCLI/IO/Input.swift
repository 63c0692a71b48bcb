internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The input of a command: a file, or standard input.
struct InputArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("A file. - is standard input.", valueName: "input"))
    var input = "-"

    func validate() throws { try PathArgument.check(input, for: "input") }

    /// Reads a payload of at most 64 KiB: more than APNs takes, so that the error can tell by how much.
    func read() throws(PushCryptError) -> [UInt8] { try Input.read(input, maximumLength: 1 << 16) }
}

enum Input {
    /// Reads and parses a file, and has an error of the parser name it.
    static func parse<Result>(
        _ path: String, _ body: ([UInt8]) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        let bytes = try read(path)
        return try naming(path) { () throws(PushCryptError) in try body(bytes) }
    }

    static func strings(_ path: String) throws(PushCryptError) -> DictionaryStringTable {
        try parse(path) { (bytes) throws(PushCryptError) in try DictionaryStringTable(parsing: bytes) }
    }

    /// Reads a file, a pipe or standard input (-) to its end.
    ///
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
            throw PushCryptError(.payloadTooLarge, "\(name) has more than \(maximumLength) bytes. Shorten it.")
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
            throw PushCryptError(.fileSystemError, "\(path) is a directory. Name a file.")
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw PushCryptError(.fileNotFound, "There is no file \(path).")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw PushCryptError(.fileSystemError, "Cannot open \(path). Check that you may read it.")
        }
        return handle
    }
}

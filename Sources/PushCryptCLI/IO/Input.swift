internal import Foundation
internal import PushCryptSender

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
            throw PushCryptError(.fileSystemError, "Cannot read \(name). Name a file that you may read.")
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
        guard FileManager.default.fileExists(atPath: path) else {
            throw PushCryptError(.fileNotFound, "There is no file \(path).")
        }
        guard !URL(fileURLWithPath: path).resolvingSymlinksInPath().hasDirectoryPath else {
            throw PushCryptError(.fileSystemError, "\(path) is a directory. Name a file.")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw PushCryptError(.fileSystemError, "Cannot open \(path). Name a file that you may read.")
        }
        return handle
    }
}

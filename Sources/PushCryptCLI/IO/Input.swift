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

    /// Reads all of it.
    func read() throws(PushCryptError) -> [UInt8] {
        try Input.read(input)
    }
}

enum Input {
    /// How many bytes an input may have: far more than any payload or key, and few enough for any memory.
    static let maximumLength = 1 << 20

    /// Reads a file, a pipe or standard input to its end.
    static func read(_ path: String) throws(PushCryptError) -> [UInt8] {
        let name = path == "-" ? "standard input" : path
        let handle = try open(path)
        var bytes: [UInt8] = []
        do {
            while bytes.count <= maximumLength, let more = try handle.read(upToCount: 1 << 16), !more.isEmpty {
                bytes += more
            }
        } catch {
            throw PushCryptError(.fileTrouble, "Cannot read \(name).")
        }
        guard bytes.count <= maximumLength else {
            throw PushCryptError(
                .payloadTooLarge, "\(name) has more than \(maximumLength) bytes: this is no payload or key.")
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
            throw PushCryptError(.fileTrouble, "\(path) is a folder. Name a file.")
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw PushCryptError(.fileNotFound, "There is no file \(path).")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw PushCryptError(.fileTrouble, "Cannot open \(path): check that you may read it.")
        }
        return handle
    }
}

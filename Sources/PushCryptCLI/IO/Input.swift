internal import ArgumentParser
internal import Foundation
internal import PushCryptCore

/// The input of a command: a file, or standard input.
struct InputArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("A file; - is standard input.", valueName: "input"))
    var input = "-"

    /// Reads all of it.
    func read() throws(PushCryptError) -> [UInt8] {
        try Input.read(input)
    }
}

enum Input {
    /// Reads a file, a pipe or standard input to its end.
    static func read(_ path: String) throws(PushCryptError) -> [UInt8] {
        let handle: FileHandle
        if path == "-" {
            if isatty(STDIN_FILENO) == 1 { Output.hint("reading standard input; end it with Ctrl-D") }
            handle = .standardInput
        } else {
            guard FileManager.default.fileExists(atPath: path) else {
                throw PushCryptError(.fileNotFound, "There is no file \(path).")
            }
            guard let file = FileHandle(forReadingAtPath: path) else {
                throw PushCryptError(.fileTrouble, "Cannot open \(path): check that you may read it.")
            }
            handle = file
        }
        do {
            return Array(try handle.readToEnd() ?? Data())
        } catch {
            throw PushCryptError(.fileTrouble, "Cannot read \(path == "-" ? "standard input" : path).")
        }
    }
}

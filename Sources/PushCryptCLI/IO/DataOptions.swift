internal import ArgumentParser
internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The input and the output of a command.
struct DataOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Replace this file atomically; '--lines' creates it. - is standard output.",
            valueName: "file"),
        completion: .file())
    var output = "-"

    @Argument(
        help: ArgumentHelp("A file. - is standard input.", valueName: "input"), completion: .file())
    var input = "-"

    func validate() throws {
        try PathArgument.check(output, for: "--output")
        try PathArgument.check(input, for: "input")
        try check(beside: [input])
    }

    /// Checks that the output doesn't replace a file that the command reads.
    func check(beside paths: [String?]) throws {
        guard output != "-", let own = Self.identity(output) else { return }
        for case let path? in paths where Self.identity(path == "-" ? "/dev/stdin" : path) == own {
            throw ValidationError(
                """
                The output '\(SafeText.onOneLine(output))' is a file that the command reads. Name \
                another.
                """)
        }
    }

    /// The device and inode of a file.
    private static func identity(_ path: String) -> [NSNumber]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else {
            return nil
        }
        return [attributes[.systemNumber], attributes[.systemFileNumber]].compactMap {
            $0 as? NSNumber
        }
    }

    /// Reads a payload of at most 64 KiB: more than APNs takes, so that the error can tell by how
    /// much.
    func read() throws(PushCryptError) -> [UInt8] {
        let json = try Input.text(input, maximumLength: 1 << 16)
        if json.isEmpty {
            Output.hint("the input is empty: name a file, or check the command before the pipe")
        }
        return json
    }

    /// Checks that the file can be written, before work that can't be repeated.
    func checkOutput() throws(PushCryptError) {
        guard output != "-" else { return }
        try KeyFileGuard.check(output)
        try Self.checkDirectory(of: output)
    }

    static func checkDirectory(of path: String) throws(PushCryptError) {
        guard !FileManager.default.isWritableFile(atPath: FileSystem.directory(of: path)) else {
            return
        }
        throw PushCryptError(
            .fileSystemError, "The directory of \(path) can't be written. Name another file.")
    }

    /// Writes the data to the file, with mode 0600 if it is private, or to standard output.
    func write(_ bytes: [UInt8], isPrivate: Bool) throws(PushCryptError) {
        guard output != "-" else { return try Output.data(bytes) }
        try KeyFileGuard.check(output)
        try OutputFile.write(bytes, to: output, isPrivate: isPrivate)
    }

    /// A Boolean value that indicates whether the data goes to a terminal.
    var isTerminal: Bool { output == "-" && Output.isTerminal }
}

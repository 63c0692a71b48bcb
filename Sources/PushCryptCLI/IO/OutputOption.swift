internal import ArgumentParser
internal import PushCryptCore

/// Where a command's data goes.
struct OutputOption: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write to this file, whole or not at all, in the place of one of that name; - is standard output.",
            valueName: "file"))
    var output = "-"

    func validate() throws {
        try PathArgument.check(output, for: "--output")
    }

    /// Writes data that is the contents of a file.
    ///
    /// - Parameters:
    ///   - bytes: the data.
    ///   - isPrivate: whether a file is for its owner's eyes only.
    /// - Throws: ``PushCryptError`` where it cannot be written.
    func write(_ bytes: [UInt8], isPrivate: Bool) throws(PushCryptError) {
        if output == "-" {
            try Output.data(bytes, newline: .onTerminal)
        } else {
            try KeyFileGuard.check(output)
            try OutputFile.write(bytes, to: output, isPrivate: isPrivate)
        }
    }
}

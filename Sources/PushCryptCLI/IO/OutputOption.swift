internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The destination of a command's data.
struct OutputOption: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write atomically to this file, replacing it. - is standard output.", valueName: "file")
    )
    var output = "-"

    func validate() throws { try PathArgument.check(output, for: "--output") }

    /// Checks that the output doesn't replace a file that the command reads.
    func check(beside paths: [String?]) throws {
        guard output != "-", let own = Self.identity(output) else { return }
        for case let path? in paths where path != "-" && Self.identity(path) == own {
            throw ValidationError(
                "The output '\(SafeText.onOneLine(output))' is a file that the command reads. Name another.")
        }
    }

    /// The device and inode of a file.
    private static func identity(_ path: String) -> [NSNumber]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else { return nil }
        return [attributes[.systemNumber], attributes[.systemFileNumber]].compactMap { $0 as? NSNumber }
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

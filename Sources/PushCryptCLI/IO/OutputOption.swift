internal import ArgumentParser
internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

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

    /// Refuses to write to a file that the command reads: what is in it would be lost.
    ///
    /// - Parameter paths: what it reads; whatever is no file is passed over.
    /// - Throws: a `ValidationError`.
    func check(beside paths: [String?]) throws {
        guard output != "-", let own = Self.identity(output) else { return }
        for case let path? in paths where path != "-" && Self.identity(path) == own {
            throw ValidationError(
                "The output '\(SafeText.onOneLine(output))' is a file that the command reads. Name another.")
        }
    }

    /// Which file it is, whatever it is called.
    private static func identity(_ path: String) -> [NSNumber]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            let device = attributes[.systemNumber] as? NSNumber, let file = attributes[.systemFileNumber] as? NSNumber
        else { return nil }
        return [device, file]
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

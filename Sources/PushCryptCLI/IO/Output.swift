internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

// - Standard output gets data and nothing else, fit to be piped on.
// - Standard error gets everything for people, one line each: "pushcrypt: error: …", "warning: …",
//   "hint: …".
// - Data that isn't authentic is never printed as the message. `inspect` and the fallback of
//   `preview` show what they show.
// - No private key is ever printed.
// - The exit status is 0 only if the whole succeeded, including the writing of the output.
enum Output {
    /// A Boolean value that indicates whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes data to standard output byte for byte, and to a terminal with a line break at the
    /// end.
    static func data(_ bytes: [UInt8]) throws(PushCryptError) {
        let needsBreak = isTerminal && bytes.last != UInt8(ascii: "\n")
        do {
            try FileHandle.standardOutput.write(
                contentsOf: Data(bytes + (needsBreak ? [UInt8(ascii: "\n")] : [])))
        } catch {
            guard !hasNoReader else { throw closed }
            throw PushCryptError(
                .fileSystemError, "Cannot write to standard output. Check where it goes.")
        }
    }

    /// A Boolean value that indicates whether standard output is a pipe whose reader has ended.
    static var hasNoReader: Bool { FileDescriptor.hasNoReader(STDOUT_FILENO) }

    /// The error of a write to a pipe whose reader has ended, which is never displayed.
    static var closed: PushCryptError {
        PushCryptError(.outputClosed, "The reader of the output has ended. Check that command.")
    }

    /// Writes a line of text to standard output.
    static func line(_ text: String) throws(PushCryptError) { try data(Array((text + "\n").utf8)) }

    static func error(_ text: String) { say("error", text) }

    /// Writes the reason of an error, and the code by which Docs/Diagnosis.md lists it.
    static func error(_ error: PushCryptError) {
        say("error", "\(error.reason) [\(error.code)]")
        if error.code == .implausibleClock {
            hint(
                "if the clock is right, name the key: 'pushcrypt keys promote KEY', "
                    + "'pushcrypt keys prune --leaked "
                    + "KEY'; or add a key with 'pushcrypt keygen --pending'"
            )
        }
    }

    static func warning(_ text: String) { say("warning", text) }

    static func hint(_ text: String) { say("hint", text) }

    private static func say(_ kind: String, _ text: String) {
        // If standard error is closed, the exit status still tells.
        try? FileHandle.standardError.write(
            contentsOf: Data("pushcrypt: \(kind): \(SafeText.onOneLine(text))\n".utf8))
    }
}

internal import Foundation
internal import PushCryptCore

// What this tool prints, and where. The rules:
//
// - Data goes to standard output, and nothing else does: no progress, no greetings, no colours. What is written there is
//   fit to be piped on as it is.
// - Everything for people goes to standard error, one line each: "pushcrypt: error: …", "pushcrypt: warning: …",
//   "pushcrypt: hint: …". Errors say what is wrong and what to do.
// - Nothing that is not authenticated is ever printed as if it were the message. What was delivered in the clear is
//   printed only by the command that is asked to show just that (inspect) and as the fallback's own fields (preview).
// - No private key is ever printed, anywhere.
// - The exit status is 0 if and only if the whole succeeded, the writing of the output included.
enum Output {
    /// When a line break follows data that has none itself.
    enum Newline {
        /// Always: the data is a line of text.
        case always
        /// Only where somebody looks at it: the data is a file's contents, byte for byte.
        case onTerminal
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes data to standard output.
    static func data(_ bytes: [UInt8], newline: Newline) throws(PushCryptError) {
        var bytes = bytes
        if newline == .always || (isTerminal && bytes.last != UInt8(ascii: "\n")) { bytes.append(UInt8(ascii: "\n")) }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            throw PushCryptError(.fileSystemError, "Cannot write to standard output.")
        }
    }

    /// Writes a line of text to standard output.
    static func line(_ text: String) throws(PushCryptError) {
        try data(Array(text.utf8), newline: .always)
    }

    /// Says why something failed.
    static func error(_ text: String) { say("error", text) }

    /// Says why something failed, and by which code Docs/Errors.md lists it.
    static func error(_ error: PushCryptError) { say("error", "\(error.reason) [\(error.code)]") }

    /// Says what went well and yet deserves a thought.
    static func warning(_ text: String) { say("warning", text) }

    /// Says what may come next.
    static func hint(_ text: String) { say("hint", text) }

    private static func say(_ kind: String, _ text: String) {
        let line = "pushcrypt: \(kind): \(SafeText.onOneLine(text))\n"
        // Where standard error is closed there is nobody left to tell.
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}

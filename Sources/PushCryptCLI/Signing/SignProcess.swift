internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// One process of a program that signs.
///
/// One thread uses it at a time.
final class SignProcess: SigningProgram, @unchecked Sendable {
    private static let maximumLineLength = 1024

    private let name: String
    private let process = Process()
    private let input: FileHandle
    private let output: FileDescriptor
    private var buffer = LineBuffer(maximumLength: maximumLineLength)

    private(set) var hasEnded = false

    /// Starts the program, without a shell.
    init(_ words: [String]) throws(PushCryptError) {
        name = words.first ?? ""
        // It searches $PATH.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["--"] + words
        let inputPipe = Pipe()
        let outputPipe = Pipe()
        process.standardInput = inputPipe
        process.standardOutput = outputPipe
        input = inputPipe.fileHandleForWriting
        output = FileDescriptor(
            owning: dup(outputPipe.fileHandleForReading.fileDescriptor),
            name: "the program's output")
        do {
            try process.run()
        } catch {
            throw failure("can't be started", fix: "Check its name and its permissions")
        }
    }

    deinit {
        try? input.close()
        if process.isRunning { end(with: SIGTERM) }
    }

    /// Sends a signal to the program and its children.
    ///
    /// Foundation starts a program in a process group of its own. A child that lived on would hold
    /// the standard error of the tool, and a caller would wait for its end.
    private func end(with signal: Int32) {
        let id = process.processIdentifier
        if kill(-id, signal) != 0, process.isRunning { kill(id, signal) }
    }

    func sign(_ message: [UInt8], timeout: TimeInterval) throws(PushCryptError) -> [UInt8] {
        do {
            try input.write(contentsOf: Data((Base64URL.encode(message) + "\n").utf8))
        } catch {
            throw ended()
        }
        guard case .bytes(var line) = try answer(timeout) else {
            throw failure(
                "answered with a line of more than \(Self.maximumLineLength) bytes",
                fix: "Write the signature alone, in base64url and with a line feed")
        }
        // A program for Windows or .NET may end its lines with CR LF.
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard let signature = try? Base64URL.decode(line.span), signature.count == 64 else {
            throw failure(
                "answered with a line that isn't 64 bytes in base64url without padding",
                fix: "Write the raw Ed25519 signature, and other texts to standard error")
        }
        return signature
    }

    private func answer(_ timeout: TimeInterval) throws(PushCryptError) -> Line {
        let end = Date().addingTimeInterval(timeout)
        while true {
            if let line = buffer.nextLine() { return line }
            // A program that writes without a line feed is readable forever.
            let rest = Int32(clamping: Int64(end.timeIntervalSinceNow * 1000))
            guard rest > 0, output.isReadable(within: rest) else {
                // It may ignore SIGTERM, and would outlive the tool.
                self.end(with: SIGKILL)
                throw failure(
                    "didn't answer within \(Int(timeout)) s",
                    fix:
                        """
                        Check its service and that it flushes its output, or raise \
                        '--sign-timeout'
                        """)
            }
            let count = try buffer.append { (bytes, room) throws(PushCryptError) in
                try output.readOnce(into: &bytes, room)
            }
            guard count > 0 else { throw ended() }
        }
    }

    private func ended() -> PushCryptError {
        hasEnded = true
        return failure(
            "ended before it signed",
            fix: "See its messages above, and run it alone with a line of base64url")
    }

    private func failure(_ problem: String, fix: String) -> PushCryptError {
        PushCryptError(.signerFailed, "The program \(SafeText.onOneLine(name)) \(problem). \(fix).")
    }
}

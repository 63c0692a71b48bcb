internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// A program that signs outside of this process, with as many processes as threads sign at the same time.
final class SignCommand: Sendable {
    private struct State {
        var idle: [SignProcess] = []
        /// The number of failures since the last signature.
        var failures = 0
        var lastFailure: PushCryptError?
    }

    /// The number of failures in a row after which the program isn't asked again.
    ///
    /// Otherwise each line of a long input could wait for a program that hangs.
    private static let patience = 3

    private let words: [String]
    private let timeout: TimeInterval
    private let state = LockedValue(State())

    init(_ command: String, timeout: TimeInterval) {
        words = Self.words(of: command)
        self.timeout = timeout
    }

    /// Returns the program and its arguments, which spaces separate.
    static func words(of command: String) -> [String] {
        command.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Returns the signature of a message, which the caller verifies.
    func sign(_ message: [UInt8]) throws(PushCryptError) -> [UInt8] {
        let failure = state.withLock { $0.failures >= Self.patience ? $0.lastFailure : nil }
        if let failure { throw failure }
        do throws(PushCryptError) {
            let idle = state.withLock { $0.idle.popLast() }
            let process = if let idle { idle } else { try SignProcess(words) }
            let signature = try process.sign(message, timeout: timeout)
            state.withLock { state in
                state.idle.append(process)
                state.failures = 0
            }
            return signature
        } catch {
            state.withLock { state in
                state.failures += 1
                state.lastFailure = error
            }
            throw error
        }
    }
}

/// One process of a program that signs.
///
/// One thread uses it at a time.
final class SignProcess: @unchecked Sendable {
    private static let maximumLineLength = 1024

    private let name: String
    private let process = Process()
    private let input: FileHandle
    private let output: FileDescriptor
    private var buffer = LineBuffer(maximumLength: maximumLineLength)

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
            owning: dup(outputPipe.fileHandleForReading.fileDescriptor), name: "the program's output")
        do {
            try process.run()
        } catch {
            throw failure("can't be started", fix: "Check its name and its permissions")
        }
    }

    deinit {
        try? input.close()
        if process.isRunning { process.terminate() }
    }

    func sign(_ message: [UInt8], timeout: TimeInterval) throws(PushCryptError) -> [UInt8] {
        do {
            try input.write(contentsOf: Data((Base64URL.encode(message) + "\n").utf8))
        } catch {
            throw ended
        }
        guard case .bytes(let line) = try answer(timeout) else {
            throw failure(
                "answered with a line of more than \(Self.maximumLineLength) bytes",
                fix: "Write the signature alone, in base64url and with a line feed")
        }
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
            let rest = Int32(end.timeIntervalSinceNow * 1000)
            guard rest > 0, output.isReadable(within: rest) else {
                throw failure(
                    "didn't answer within \(Int(timeout)) s",
                    fix: "Check its service and that it flushes its output, or raise '--sign-timeout'")
            }
            let count = try buffer.append { (bytes, room) throws(PushCryptError) in
                try output.readOnce(into: &bytes, room)
            }
            guard count > 0 else { throw ended }
        }
    }

    private var ended: PushCryptError {
        failure("ended before it signed", fix: "See its messages above, and run it alone with a line of base64url")
    }

    private func failure(_ problem: String, fix: String) -> PushCryptError {
        PushCryptError(.signerFailed, "The program \(SafeText.onOneLine(name)) \(problem). \(fix).")
    }
}

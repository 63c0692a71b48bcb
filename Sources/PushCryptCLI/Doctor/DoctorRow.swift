internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The row of a device, which the doctor reads before its challenge and until the answer.
struct DoctorRow {
    /// The source of the row.
    enum Source {
        case file(String)
        /// A program with arguments, separated by spaces, that prints the row.
        case command(String)
    }

    let source: Source

    /// The seconds that a program may take.
    private static let longestRun = 30.0

    /// The seconds between two readings.
    var period: TimeInterval { if case .command = source { 2 } else { 0.5 } }

    /// Reads the row.
    func read() throws(DoctorFinding) -> Recipient {
        do {
            let text = try text()
            guard !JSONText.trimmed(text.span).isEmpty else {
                throw PushCryptError(
                    .missingValue,
                    """
                    It's empty: the server has no row of this account and token. Have the user \
                    open the app.
                    """)
            }
            return try JSONDecoder().decode(Recipient.self, from: Data(text))
        } catch let error as PushCryptError {
            throw DoctorFinding(DoctorRule.recipientInvalid, because: error, fix: .reason)
        } catch {
            throw DoctorFinding(
                DoctorRule.recipientInvalid, "It isn't JSON with the members of a Recipient.")
        }
    }

    private func text() throws -> [UInt8] {
        switch source {
        case .file(let path): try Input.text(path)
        case .command(let command): try Self.output(of: command)
        }
    }

    /// Runs a program without a shell, and returns its output.
    private static func output(of command: String) throws -> [UInt8] {
        let process = Process()
        // It searches $PATH.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["--"] + SignCommand.words(of: command)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw PushCryptError(
                .fileSystemError, "The program of '--recipient-command' can't be started. Check it."
            )
        }
        let end = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + longestRun, execute: end)
        defer { end.cancel() }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0, output.count <= 1 << 20 else {
            throw PushCryptError(
                .fileSystemError,
                "The program of '--recipient-command' failed. Run it alone, and see its messages.")
        }
        return Array(output)
    }
}

#if APNs
import Foundation
import PushCryptTesting
import Testing

/// The server of `pushcrypt testserver`, in a process of its own.
final class SendServer: Sendable {
    private let input = Pipe()
    private let log: URL
    /// The process of the server.
    let process: Int32
    /// The arguments of the tool before those of a test.
    let send: [String]

    /// Starts the server, which writes its key and its certificate into the directory of a tool.
    init(_ tool: Tool, _ options: String...) throws {
        log = tool.directory.appendingPathComponent("server.log")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = try Tool.executable
        process.arguments = ["testserver", "--end-with-input", tool.directory.path] + options
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: log)
        try process.run()
        self.process = process.processIdentifier
        let end = Date() + 60
        while try !String(contentsOf: log, encoding: .utf8).contains("\n"), Date() < end {
            usleep(10_000)
        }
        let line = try String(contentsOf: log, encoding: .utf8).prefix { $0 != "\n" }
        let values = try JSONValue(parsing: Array(line.utf8))
        func text(_ name: String) throws -> String {
            try #require(values[name]?.stringValue, "\(line)")
        }
        let port = try #require(line.firstMatch(of: /"port":(\d+)/)?.output.1)
        send = [
            "send", "--p8", "key.p8", "--key-id", try text("keyID"), "--team-id",
            try text("teamID"),
            "--host", try text("host"), "--port", String(port), "--ca", "ca.pem", "--topic",
            try text("topic"),
        ]
    }

    /// The server ends with its input.
    deinit { try? input.fileHandleForWriting.close() }

    /// The accepted pushes, in their order.
    func pushes() throws -> [JSONValue] {
        try String(contentsOf: log, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { try JSONValue(parsing: Array($0.utf8)) }
    }

    /// The device tokens of accepted pushes, in their order.
    func devices() throws -> [String] {
        try String(contentsOf: log, encoding: .utf8).matches(of: /"device":"([0-9a-f]+)"/).map {
            String($0.output.1)
        }
    }
}
#endif

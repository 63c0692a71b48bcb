import Foundation
import TestSupport
import Testing

/// Runs what a page has readers type, with the tool of this build on the path.
enum Shell {
    /// What a script printed, errors among it, and how it ended.
    static func run(_ script: String, in folder: URL) throws -> (output: String, status: Int32) {
        let places = [CommandLine.arguments[0], Bundle.main.executablePath ?? ""]
        let tools = try #require(
            places.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
                .first { FileManager.default.isExecutableFile(atPath: $0 + "/pushcrypt") },
            "the tool was not built beside the tests")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-euc", script]
        process.currentDirectoryURL = folder
        var variables = ProcessInfo.processInfo.environment
        variables["PATH"] = "\(tools):\(variables["PATH"] ?? "/bin")"
        variables["PUSHCRYPT_KEYRING"] = nil
        process.environment = variables
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (output, process.terminationStatus)
    }
}

import Foundation
import TestSupport
import Testing

/// Runs the commands of a page, with the tool of this build on the path.
enum Shell {
    /// Returns the standard output and error of a script, and its exit status.
    static func run(_ script: String, in directory: URL) throws -> (output: String, status: Int32) {
        let tool = try #require(
            BuiltProducts.url(of: "pushcrypt"), "the tool was not built beside the tests")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-euc", script]
        process.currentDirectoryURL = directory
        var variables = ProcessInfo.processInfo.environment
        variables["PATH"] =
            "\(tool.deletingLastPathComponent().path):\(variables["PATH"] ?? "/bin")"
        variables["PUSHCRYPT_KEYRING"] = nil
        process.environment = variables
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(
            decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (output, process.terminationStatus)
    }
}

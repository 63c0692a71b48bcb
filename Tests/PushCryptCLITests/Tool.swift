import Foundation
import Testing

/// Runs the tool that was built with the tests, in a directory of its own.
final class Tool: Sendable {
    /// The results of a run of the tool.
    struct Run {
        let status: Int32
        let output: Data
        let errors: String
        /// A Boolean value that indicates whether a signal, whose number is the status, has ended the run.
        var wasKilled = false

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The directory that the tool runs in.
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pushcrypt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The tool beside the test bundle.
    static var executable: URL {
        get throws {
            let places = [CommandLine.arguments[0], Bundle.main.executablePath ?? "", Bundle.main.bundlePath]
            let candidates = places.map {
                URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("pushcrypt")
            }
            return try #require(
                candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) },
                "the tool was not built beside the tests")
        }
    }

    /// Runs the tool and waits for its end.
    func run(
        _ arguments: String..., input: String? = nil, environment: [String: String] = [:], output: FileHandle? = nil
    ) throws -> Run {
        try run(all: arguments, input: input, environment: environment, output: output)
    }

    /// Runs the tool with arguments that a test has as an array.
    ///
    /// A launcher is the path and the arguments of a program that runs the tool, whose path and arguments follow. What is to
    /// be done meanwhile gets the number of the process, and must see to it that the process ends, unless it throws.
    func run(
        all arguments: [String], input: String? = nil, environment: [String: String] = [:], output: FileHandle? = nil,
        through launcher: [String] = [], meanwhile: (Int32) throws -> Void = { _ in }
    ) throws -> Run {
        let command = launcher + [try Self.executable.path] + arguments
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = folder
        var variables = ProcessInfo.processInfo.environment
        variables["PUSHCRYPT_KEYRING"] = nil
        process.environment = variables.merging(environment) { $1 }
        // Files instead of pipes: nothing can fill up and wait.
        let errors = folder.appendingPathComponent(".errors-\(UUID().uuidString)")
        let standardOutput = folder.appendingPathComponent(".output-\(UUID().uuidString)")
        let standardInput = folder.appendingPathComponent(".input-\(UUID().uuidString)")
        for file in [errors, standardOutput] { try Data().write(to: file) }
        try Data((input ?? "").utf8).write(to: standardInput)
        defer { for file in [errors, standardOutput, standardInput] { try? FileManager.default.removeItem(at: file) } }
        process.standardInput = try FileHandle(forReadingFrom: standardInput)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardOutput = try output ?? FileHandle(forWritingTo: standardOutput)
        try process.run()
        do {
            try meanwhile(process.processIdentifier)
        } catch {
            process.terminate()
            throw error
        }
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus, output: try Data(contentsOf: standardOutput),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self),
            wasKilled: process.terminationReason == .uncaughtSignal)
    }

    /// Writes a file into the directory.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    /// Reads a file of the directory.
    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    /// A file's permissions.
    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// The names of all files of the directory.
    var names: Set<String> {
        get throws {
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") })
        }
    }
}

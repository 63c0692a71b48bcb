import Foundation
import PushCryptTesting
import Testing

import enum TestSupport.BuiltProducts

@testable import PushCryptKeyring

/// Runs the tool that was built with the tests, in a temporary directory.
final class Tool: Sendable {
    /// The results of a run of the tool.
    struct Run {
        let status: Int32
        let output: Data
        let errors: String
        /// A Boolean value that indicates whether a signal, whose number is the status, has ended
        /// the run.
        var wasKilled = false

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The directory that the tool runs in.
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "pushcrypt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// The tool beside the test bundle.
    static var executable: URL {
        get throws {
            try #require(
                BuiltProducts.url(of: "pushcrypt"), "the tool was not built beside the tests")
        }
    }

    // MARK: Runs

    /// Runs the tool and waits for its end.
    func run(
        _ arguments: String..., input: String? = nil, environment: [String: String] = [:],
        output: FileHandle? = nil
    ) throws -> Run {
        try run(all: arguments, input: input, environment: environment, output: output)
    }

    /// Runs the tool with arguments that a test has as an array.
    ///
    /// A launcher is the path and the arguments of a program that runs the tool, whose path and
    /// arguments follow. `meanwhile` receives the number of the process. It must see to it that the
    /// process ends, unless it throws.
    func run(
        all arguments: [String], input: String? = nil, from pipe: Pipe? = nil,
        environment: [String: String] = [:],
        output: FileHandle? = nil, through launcher: [String] = [],
        meanwhile: (Int32) throws -> Void = { _ in }
    ) throws -> Run {
        let command = launcher + [try Self.executable.path] + arguments
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = directory
        var variables = ProcessInfo.processInfo.environment
        for name in ["PUSHCRYPT_KEYRING", "COLUMNS"] { variables[name] = nil }
        process.environment = variables.merging(environment) { $1 }
        // Files instead of pipes: a full pipe would block the tool.
        let errors = directory.appendingPathComponent(".errors-\(UUID().uuidString)")
        let standardOutput = directory.appendingPathComponent(".output-\(UUID().uuidString)")
        let standardInput = directory.appendingPathComponent(".input-\(UUID().uuidString)")
        for file in [errors, standardOutput] { try Data().write(to: file) }
        try Data((input ?? "").utf8).write(to: standardInput)
        defer {
            for file in [errors, standardOutput, standardInput] {
                try? FileManager.default.removeItem(at: file)
            }
        }
        process.standardInput =
            try pipe?.fileHandleForReading ?? FileHandle(forReadingFrom: standardInput)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardOutput = try output ?? FileHandle(forWritingTo: standardOutput)
        try process.run()
        let watch = Self.watch(process)
        defer { watch.cancel() }
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

    /// Kills a process after five minutes: a tool that waits forever fails the test, and doesn't
    /// block the others.
    private static func watch(_ process: Process) -> DispatchWorkItem {
        // The queue keeps the closure for five minutes, and a process keeps its files.
        let number = process.processIdentifier
        let watch = DispatchWorkItem { kill(number, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: watch)
        return watch
    }

    /// Runs a shell command on a terminal, which script(1) of util-linux creates, and types answers
    /// to its questions.
    func runOnTerminal(
        _ command: String, columns: Int? = nil, typing answers: [String] = []
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.script)
        process.arguments = ["-qec", command, "/dev/null"]
        process.currentDirectoryURL = directory
        var variables = ProcessInfo.processInfo.environment
        // Shells differ in what a signal does to them.
        variables["SHELL"] = "/bin/sh"
        variables["COLUMNS"] = columns.map { "\($0)" }
        process.environment = variables
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let watch = Self.watch(process)
        defer { watch.cancel() }
        var shown = Data()
        for answer in answers {
            // The tool discards what is typed before the question.
            while shown.suffix(2) != Data(": ".utf8) {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                shown += more
            }
            try input.fileHandleForWriting.write(contentsOf: Data(answer.utf8))
            shown += Data("\n".utf8)
        }
        shown += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: shown, as: UTF8.self)
    }

    private static let script = "/usr/bin/script"

    /// A Boolean value that indicates whether ``runOnTerminal(_:columns:typing:)`` works on this
    /// machine.
    static let hasTerminal: Bool = {
        let shown = try? Tool().runOnTerminal("test -t 1 && echo yes")
        return shown?.contains("yes") == true
    }()

    // MARK: Files

    /// The path of a file in the directory.
    func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    /// Writes a file into the directory.
    func write(_ text: String, to name: String, mode: Int? = nil) throws {
        try Data(text.utf8).write(to: directory.appendingPathComponent(name))
        if let mode { try setMode(mode, of: name) }
    }

    /// Reads a file of the directory.
    func read(_ name: String) throws -> String {
        String(
            decoding: try Data(contentsOf: directory.appendingPathComponent(name)), as: UTF8.self)
    }

    /// Returns the permissions of a file.
    func mode(_ name: String) throws -> Int {
        try #require(
            try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int)
    }

    /// Changes the permissions of a file.
    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: NSNumber(value: mode)], ofItemAtPath: path(name))
    }

    /// The names of all files of the directory.
    var names: Set<String> {
        get throws {
            Set(
                try FileManager.default.contentsOfDirectory(atPath: directory.path).filter {
                    !$0.hasPrefix(".")
                })
        }
    }

    // MARK: Keyrings

    /// Creates a keyring as `keygen` does, but without a process, and returns its public key.
    @discardableResult
    func createKeyring<Key: PrivateKey>(_ name: String, of _: Key.Type) throws -> Key.Public {
        try KeyringFile<Key>(path: path(name)).readOrCreate(at: Date()).primary.key.publicKey
    }

    /// Creates the keyring `device.jwks`, and `device.jwk` with its public key.
    @discardableResult
    func createDevice() throws -> RecipientPublicKey {
        let key = try createKeyring("device.jwks", of: RecipientPrivateKey.self)
        try write(key.jwk, to: "device.jwk")
        return key
    }

    /// Creates the keyring `server.jwks`, and `server.jwk` with its public key.
    @discardableResult
    func createServer() throws -> VerificationKey {
        let key = try createKeyring("server.jwks", of: SigningKey.self)
        try write(key.jwk, to: "server.jwk")
        return key
    }

    /// Subtracts days from all dates of a keyring.
    func ageKeyring(_ name: String, days: Int) throws {
        var text = try read(name)
        for member in ["created", "retired"] {
            var rest = text[...]
            var aged = ""
            while let range = rest.range(of: "\"\(member)\":") {
                aged += rest[..<range.upperBound]
                let digits = rest[range.upperBound...].prefix { $0.isNumber }
                aged += "\(try #require(Int(digits)) - days * 24 * 3600)"
                rest = rest[digits.endIndex...]
            }
            text = aged + rest
        }
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
        #expect(try mode(name) == 0o600)
    }

    /// Encrypts a keyring with a passphrase at the lowest cost that the tool accepts.
    ///
    /// The tool's own cost takes half a second.
    func protect<Key: PrivateKey>(_ name: String, with passphrase: String, _: Key.Type) throws {
        let text = try KeyringFile<Key>(path: path(name)).read().exportToStore().contents
        let protected = try ProtectedKeyring(
            protecting: text, with: Passphrase(Array(passphrase.utf8)),
            cost: Argon2id.Cost(operations: 1, memory: 8 << 10))
        try write(protected.contents, to: name, mode: 0o600)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if the machine cannot create a terminal.
    static var terminal: Self {
        .enabled(if: Tool.hasTerminal, "script of util-linux is not installed")
    }
}

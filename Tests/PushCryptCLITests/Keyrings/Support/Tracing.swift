import Foundation
import Testing

/// The tracer of the tool's system calls.
enum Tracing {
    /// The path of the system call tracer; `nil` if it is missing or doesn't work.
    static let tracer = path("strace", thatRuns: ["-f", "-o", "/dev/null", "/bin/true"])

    /// The command that keeps the addresses of a program; empty if it doesn't work.
    ///
    /// At its start the C library reads the list of them, whose length differs from run to run
    /// otherwise.
    static let fixedAddresses =
        path("setarch", thatRuns: ["-R", "/bin/true"]).map { [$0, "-R"] } ?? []

    /// Returns the path of a program; `nil` if it is missing, or fails because a sandbox forbids
    /// its calls.
    private static func path(_ name: String, thatRuns arguments: [String]) -> String? {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = directories.map { "\($0)/\(name)" }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) })
        else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return nil }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? path : nil
    }

    /// A Boolean value that indicates whether to run tests that trace; `PUSHCRYPT_NEEDS_STRACE=1`
    /// always does.
    static let isDue =
        tracer != nil || ProcessInfo.processInfo.environment["PUSHCRYPT_NEEDS_STRACE"] == "1"
}

extension Trait where Self == ConditionTrait {
    /// Skips a suite if the tracer is missing, unless `PUSHCRYPT_NEEDS_STRACE=1` is set.
    static var tracing: Self { .enabled(if: Tracing.isDue, "strace is not installed") }
}

/// A system call that the tool has made.
struct SystemCall: Sendable, CustomStringConvertible {
    let name: String
    /// The index among the calls of this name in the process, from 1.
    let number: Int
    /// The text between the brackets, with strings as the tracer writes them.
    let arguments: String
    /// The strings among the arguments.
    let strings: [[UInt8]]
    /// The result: -1 if the call failed, `nil` if the process ended in it.
    let result: Int?

    /// The first argument, if it is a number such as a file descriptor.
    var descriptor: Int? { Int(arguments.prefix { $0 != "," }) }

    /// The strings as text, as paths are.
    var paths: [String] { strings.map { String(decoding: $0, as: UTF8.self) } }

    /// The name of the call, or the common name of calls that do the same on different processors.
    var kind: String {
        switch name {
        case "open": "openat"
        case "renameat", "renameat2": "rename"
        case "linkat": "link"
        case "unlinkat": "unlink"
        case "newfstatat", "fstat", "lstat", "stat", "statx": "stat"
        default: name
        }
    }

    /// A Boolean value that indicates whether the call concerns memory and not a file.
    var isAboutMemory: Bool {
        ["mmap", "mprotect", "madvise", "mlock", "munlock", "munmap", "brk"].contains(name)
    }

    var description: String {
        let path = paths.first.map { $0.count < 100 ? " \($0)" : "" } ?? ""
        return "\(name) number \(number)\(path)"
    }

    /// Parses a line of the tracer's log without the process's number.
    init?(_ line: Substring, number: (String) -> Int) {
        guard let bracket = line.firstIndex(of: "("), let first = line.first,
            first.isLetter || first == "_"
        else {
            return nil
        }
        name = String(line[..<bracket])
        self.number = number(name)
        let rest = line[line.index(after: bracket)...]
        let equals = rest.range(of: " = ", options: .backwards)
        let call = rest[..<(equals?.lowerBound ?? rest.endIndex)]
        arguments = String(call[..<(call.lastIndex(of: ")") ?? call.endIndex)])
        result = equals.flatMap { Int(rest[$0.upperBound...].prefix { $0 != " " }) }
        // Every second piece between quotation marks is a string, because all its bytes are written
        // as \xNN.
        strings = arguments.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }
            .map { piece in
                piece.element.components(separatedBy: #"\x"#).compactMap { UInt8($0, radix: 16) }
            }
    }
}

/// An interference with a system call.
struct Interference: Sendable, CustomStringConvertible {
    let call: SystemCall
    let what: String

    /// The process is killed, and the call is not made.
    static func kill(before call: SystemCall) -> Self { Self(call: call, what: "signal=SIGKILL") }

    /// The process is stopped at the call.
    static func stop(at call: SystemCall) -> Self { Self(call: call, what: "signal=SIGSTOP") }

    /// The call is not made, and fails.
    static func fail(_ call: SystemCall, with error: String) -> Self {
        Self(call: call, what: "error=\(error)")
    }

    var description: String { "\(what) at \(call)" }

    var option: [String] {
        ["-e", "trace=\(call.name)", "-e", "inject=\(call.name):\(what):when=\(call.number)"]
    }
}

/// A run of the tool with its system calls.
struct TracedRun {
    let run: Tool.Run
    /// All calls, in order.
    let calls: [SystemCall]

    /// The calls from the first that names the keyring's lock on.
    ///
    /// The calls before them are the start of any program.
    var region: ArraySlice<SystemCall> {
        let start = calls.firstIndex { call in call.paths.contains { $0.hasSuffix(".lock") } }
        return calls[(start ?? calls.endIndex)...]
    }
}

extension Tool {
    /// Runs the tool and returns its system calls, or those with some names, with strings up to a
    /// length.
    func trace(_ arguments: [String], longest: Int = 4096, only names: [String] = []) throws
        -> TracedRun
    {
        let filter =
            names.isEmpty ? [] : ["-e", "trace=" + names.map { "?" + $0 }.joined(separator: ",")]
        return try trace(arguments, options: ["-s", "\(longest)"] + filter)
    }

    /// Runs the tool with an interference with a system call, and expects that the interference
    /// happens.
    ///
    /// If it stops the process, `whileStopped` receives the number of the process, which then
    /// continues.
    func run(
        _ arguments: [String], meddling interference: Interference,
        whileStopped: ((Int32) throws -> Void)? = nil
    ) throws -> Tool.Run {
        let traced = try trace(arguments, options: ["-s", "4096"] + interference.option) { log in
            guard let whileStopped else { return }
            let process = try Self.stoppedProcess(log)
            defer { kill(process, SIGCONT) }
            try whileStopped(process)
        }
        let call = try #require(
            traced.calls.last { $0.number == interference.call.number },
            "the run took another way than the first: there is no \(interference.call)")
        #expect(
            Self.form(call) == Self.form(interference.call),
            "the run took another way than the first")
        return traced.run
    }

    /// The part of a call that is the same in two runs: the descriptor or the paths.
    private static func form(_ call: SystemCall) -> [String] {
        if let descriptor = call.descriptor { return ["\(descriptor)"] }
        guard ["openat", "stat", "link", "rename", "unlink"].contains(call.kind) else { return [] }
        return call.paths.map { $0.hasSuffix(".tmp") ? ".tmp" : $0 }
    }

    /// Waits until the tracer has written that the tool is stopped.
    private static func stoppedProcess(_ log: URL) throws -> Int32 {
        for _ in 0..<12_000 {
            let text =
                (try? Data(contentsOf: log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            if text.contains("--- stopped by SIGSTOP ---") {
                return try #require(Int32(text.prefix { $0.isNumber }))
            }
            usleep(10_000)
        }
        return try #require(nil, "the tool did not stop")
    }

    private func trace(
        _ arguments: [String], options: [String], meanwhile: (URL) throws -> Void = { _ in }
    ) throws -> TracedRun {
        let tracer = try #require(
            Tracing.tracer, "strace is not installed, and PUSHCRYPT_NEEDS_STRACE=1 is set")
        let log = directory.appendingPathComponent(".trace-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: log) }
        // Without random hashes a second run makes the same calls.
        let run = try run(
            all: arguments, environment: ["SWIFT_DETERMINISTIC_HASHING": "1"],
            through: Tracing.fixedAddresses + [tracer, "-f", "-xx", "-o", log.path] + options,
            meanwhile: { _ in try meanwhile(log) })
        return TracedRun(
            run: run, calls: try Self.calls(String(decoding: Data(contentsOf: log), as: UTF8.self)))
    }

    private static func calls(_ log: String) throws -> [SystemCall] {
        var counts: [String: Int] = [:]
        var processes: Set<Substring> = []
        let calls = log.split(separator: "\n").compactMap { line -> SystemCall? in
            let process = line.prefix { $0.isNumber }
            processes.insert(process)
            return SystemCall(line.dropFirst(process.count).drop { $0 == " " }) { name in
                counts[name, default: 0] += 1
                return counts[name, default: 0]
            }
        }
        // The tracer counts the calls of each thread by itself.
        #expect(processes.count == 1, "the tool had more than one thread")
        return calls
    }
}

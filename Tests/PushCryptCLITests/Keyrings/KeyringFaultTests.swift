import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// If a system call fails, a failed command has changed nothing and says why, and a successful one
/// has done all.
///
/// There are two exceptions, which the message names. If the sync of the directory fails, the new
/// file is whole and may be lost with the power. If the write to standard output fails, the change
/// is stored already.
@Suite(.toolThreads, .tracing, .longRun) struct KeyringFaultTests {
    @Test(
        "Every failure of every system call leaves the keyring intact",
        arguments: [.making, .rotating] as [KeyringScenario])
    func everyFailureOfEveryCall(_ scenario: KeyringScenario) throws {
        let scenario = try PreparedScenario(scenario)
        for call in try scenario.calls() {
            for error in Self.errors(of: call) { try expectAllOrNothing(scenario, call, error) }
        }
    }

    // A sample: the calls are the same as above, so one error is tried at each, not all that there
    // are.
    @Test(
        "A failure of any system call leaves the keyring intact",
        arguments: [.preparing, .promoting, .destroying] as [KeyringScenario])
    func aFailureOfEveryCall(_ scenario: KeyringScenario) throws {
        let scenario = try PreparedScenario(scenario)
        for call in try scenario.calls() {
            guard let error = Self.errors(of: call).first else { continue }
            try expectAllOrNothing(scenario, call, error)
        }
    }

    @Test(
        "An interrupted system call is repeated",
        arguments: [.making, .rotating] as [KeyringScenario])
    func anInterruptedCallIsRepeated(_ scenario: KeyringScenario) throws {
        let scenario = try PreparedScenario(scenario)
        let calls = try scenario.calls().filter { Self.interruptible.contains($0.kind) }
        #expect(
            Set(calls.map(\.kind)).isSuperset(of: ["openat", "flock", "read", "write", "fsync"]))
        for call in calls {
            let tool = try scenario.directory()
            let run = try tool.run(scenario.arguments, meddling: .fail(call, with: "EINTR"))
            #expect(run.status == 0, "EINTR at \(call): \(run.errors)")
            #expect(try scenario.state(in: tool, "EINTR at \(call)", opening: false) == .new)
            #expect(run.output.last == UInt8(ascii: "\n"), "EINTR at \(call)")
            #expect(try tool.temporaryFiles.isEmpty, "EINTR at \(call)")
        }
    }

    // On FAT and in some sandboxes, link(2) fails.
    @Test(
        "A file system without hard links is supported",
        arguments: ["EPERM", "EOPNOTSUPP", "ENOSYS", "EMLINK"])
    func aFileSystemWithoutHardLinksIsSupported(_ error: String) throws {
        let scenario = try PreparedScenario(.making)
        let call = try #require(try scenario.calls().first { $0.kind == "link" })
        let tool = try scenario.directory()
        let run = try tool.run(scenario.arguments, meddling: .fail(call, with: error))
        #expect(run.status == 0)
        #expect(try scenario.state(in: tool, error) == .new)
        #expect(try tool.temporaryFiles.isEmpty)
    }

    // MARK: Errors

    /// The calls that a signal may interrupt, by their manuals or by POSIX, before they have done
    /// anything.
    private static let interruptible: Set<String> = [
        "openat", "flock", "read", "write", "fsync", "fchmod", "close", "getrandom", "getdents64",
    ]

    /// The errors that a call may fail with, but for interruptions, the most usual one first.
    private static func errors(of call: SystemCall) -> [String] {
        switch call.kind {
        case "openat":
            call.arguments.contains("O_CREAT")
                ? ["ENOSPC", "EIO", "EDQUOT", "EROFS", "EMFILE", "EACCES"]
                : ["EIO", "EMFILE", "EACCES"]
        case "stat", "flock", "getdents64", "read": ["EIO"]
        case "fchmod": ["EIO", "EROFS", "EACCES"]
        case "write": ["ENOSPC", "EIO", "EDQUOT"]
        case "fsync": ["EIO", "ENOSPC", "EDQUOT", "EROFS"]
        case "link", "rename": ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES"]
        case "unlink": ["EIO", "EROFS", "EACCES"]
        case "close": ["EIO", "ENOSPC", "EDQUOT"]
        default: []
        }
    }

    // MARK: Expectations

    private func expectAllOrNothing(
        _ scenario: PreparedScenario, _ call: SystemCall, _ error: String
    ) throws {
        let place = "\(error) at \(call) of \(scenario.arguments)"
        let tool = try scenario.directory()
        let run = try tool.run(scenario.arguments, meddling: .fail(call, with: error))
        let state = try scenario.state(in: tool, place, opening: false)
        // The file is synced first, then its directory.
        let isDirectory = call.name == "fsync" && call.number == 2
        let isOutput = call.name == "write" && call.descriptor == 1
        if run.status == 0 {
            #expect(!isDirectory && !isOutput, "\(place): a failure is passed over")
            #expect(state == .new, "\(place): nothing is done, and no message says so")
            // A file that cannot be removed is removed the next time; see `KeyringCrashTests`.
            #expect(
                try tool.temporaryFiles.isEmpty || call.kind == "unlink",
                "\(place): a temporary file is left")
            return
        }
        #expect(run.status == 1, "\(place)")
        let isDone = isDirectory || isOutput
        #expect(state == (isDone ? .new : scenario.contents == nil ? .absent : .old), "\(place)")
        #expect(try tool.temporaryFiles.isEmpty, "\(place): a temporary file is left")
        #expect(run.output.isEmpty, "\(place): something is printed")
        expectAClearMessage(
            run.errors, isOutput ? "Cannot write to standard output." : Self.texts[error], place)
        if isDirectory { #expect(run.errors.contains("Cannot sync"), "\(place): \(run.errors)") }
    }

    private static let texts = [
        "ENOSPC": "no space left", "EDQUOT": "no space left", "EIO": "input/output error",
        "EROFS": "read-only",
        "EMFILE": "too many open files", "EACCES": "permission denied",
    ]

    /// Expects one line that says what is wrong, with a code, and only hints before it.
    private func expectAClearMessage(_ text: String, _ cause: String?, _ place: String) {
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("pushcrypt: ") }, "\(place): \(text)")
        let errors = lines.filter { $0.hasPrefix("pushcrypt: error: ") }
        #expect(errors.count == 1 && errors.last == lines.last, "\(place): \(text)")
        #expect(errors.last?.hasSuffix(" [file-system-error]") == true, "\(place): \(text)")
        #expect(
            cause.map { errors.last?.contains($0) == true } == true,
            "\(place): the cause is missing: \(text)")
        #expect(!text.contains(".tmp"), "\(place): the name of a temporary file: \(text)")
    }
}

extension Tool {
    fileprivate var temporaryFiles: [String] {
        get throws { try names.filter { $0.hasSuffix(".tmp") } }
    }
}

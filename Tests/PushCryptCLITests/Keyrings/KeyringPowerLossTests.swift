import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// After any loss of power, the disk has the old or the new keyring, and the new one before its key
/// is printed.
@Suite(.toolThreads, .tracing, .longRun) struct KeyringPowerLossTests {
    @Test("Power may be lost after any system call", arguments: KeyringScenario.all)
    func thePowerMayBeLostAfterEverySystemCall(_ scenario: KeyringScenario) throws {
        let scenario = try PreparedScenario(scenario)
        let tool = try scenario.directory()
        let calls = try tool.traceFiles(scenario.arguments)
        var disk = DiskModel(
            top: tool.directory.path,
            files: scenario.contents.map { [KeyringScenario.file: Array($0)] } ?? [:])
        var seen: [DiskModel.Loss: [PreparedScenario.State]] = [:]
        var isSaid = false
        for call in calls {
            try disk.apply(call)
            if call.name == "write", call.descriptor == 1 || call.descriptor == 2 { isSaid = true }
            for loss in DiskModel.Loss.allCases {
                let place = "after \(call), \(loss)"
                let left = try Tool()
                try left.write(disk.left(after: loss))
                let state = try scenario.state(in: left, place)
                if seen[loss]?.last != state { seen[loss, default: []].append(state) }
                if isSaid { #expect(state == .new, "\(place): announced, and not on the disk") }
            }
        }
        #expect(isSaid)
        // The model agrees with the real files, and at the end the disk has them.
        let final = try Data(
            contentsOf: tool.directory.appendingPathComponent(KeyringScenario.file))
        for loss in DiskModel.Loss.allCases {
            let left = disk.left(after: loss)[KeyringScenario.file]
            #expect((left == Array(final)) as Bool, "\(loss)")
            #expect(seen[loss] == [scenario.contents == nil ? .absent : .old, .new])
        }
    }

    // The directory and the names of the directories that were created with it.
    @Test(
        "A new directory is on the disk before the key is printed",
        arguments: ["Keys/ring.jwks", "a/b/ring.jwks"])
    func aNewDirectoryIsOnTheDiskBeforeTheKeyIsPrinted(_ path: String) throws {
        let tool = try Tool()
        let calls = try tool.traceFiles(["keygen", "--keyring", path])
        let said = try #require(calls.firstIndex { $0.name == "write" && $0.descriptor == 1 })
        var disk = DiskModel(top: tool.directory.path, files: [:])
        for call in calls[..<said] { try disk.apply(call) }
        let contents = Array(try Data(contentsOf: tool.directory.appendingPathComponent(path)))
        let (seen, kept) = (
            disk.left(after: .unsyncedContents)[path], disk.left(after: .everythingUnsynced)[path]
        )
        #expect((seen == contents) as Bool, "the model does not see the file")
        #expect((kept == contents) as Bool, "the keyring is not on the disk yet")
    }

    @Test("The public key is printed after the directory is synced")
    func thePublicKeyIsPrintedAfterTheSync()
        throws
    {
        for scenario in [KeyringScenario.making, .rotating, .preparing, .promoting] {
            let scenario = try PreparedScenario(scenario)
            let tool = try scenario.directory()
            let calls = try tool.traceFiles(scenario.arguments)
            let directory = try #require(
                calls.last { $0.kind == "openat" && $0.arguments.contains("O_DIRECTORY") })
            let synced = try #require(
                calls.lastIndex { $0.name == "fsync" && $0.descriptor == directory.result },
                "the directory is never synced")
            let placed = try #require(calls.lastIndex { ["rename", "link"].contains($0.kind) })
            let printed = try #require(
                calls.firstIndex { $0.name == "write" && $0.descriptor == 1 })
            #expect(placed < synced && synced < printed, "\(scenario.arguments)")
            #expect(calls[synced].result == 0)
        }
    }
}

extension Tool {
    /// Runs the tool and notes all calls that change files, with all that is written.
    fileprivate func traceFiles(_ arguments: [String]) throws -> [SystemCall] {
        let names = DiskModel.knownCalls + DiskModel.unknownCalls
        let traced = try trace(arguments, longest: 1_000_000, only: names)
        #expect(traced.run.status == 0)
        // Before the tool's own work, the loader opens and closes other files.
        return traced.calls
    }

    /// Creates files and directories.
    fileprivate func write(_ files: [String: [UInt8]?]) throws {
        for (name, contents) in files.sorted(by: { $0.key < $1.key }) {
            let path = path(name)
            guard let contents else {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: false)
                continue
            }
            let made = FileManager.default.createFile(
                atPath: path, contents: Data(contents),
                attributes: [.posixPermissions: NSNumber(value: 0o600)])
            try #require(made)
        }
    }
}

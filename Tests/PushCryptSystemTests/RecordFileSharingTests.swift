import Foundation
import PushCryptCore
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file of records that several threads and processes use, remove and replace.
@Suite struct RecordFileSharingTests {
    let scratch: Scratch
    let records: TestRecords

    init() throws {
        scratch = try Scratch()
        records = TestRecords(scratch.file("records"), capacity: 100_000)
    }

    /// Locks a file as another process does, until the descriptor is closed.
    ///
    /// A child process of another test can hold a copy of an earlier descriptor, and with it the
    /// lock, until the child executes its program. So this waits.
    private func locked(_ records: TestRecords) -> Int32 {
        let other = unsafe open(records.path, O_RDWR | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        return other
    }

    @Test("A lock that another process holds is an error") func heldLock() throws {
        try records.add(1)
        let other = locked(records)
        let time = ContinuousClock().measure {
            #expect(errorCode { try records.add(2) } == .lockTimeout)
        }
        // A busy machine needs longer than 50 ms.
        #expect(time > .milliseconds(45) && time < .seconds(600), "\(time)")
        close(other)
        try records.add(3)
        #expect(try records.all == [1, 3])
    }

    @Test("Threads that wait for each other don't outwait the lock", .ownThread)
    func threadsTakeTurns() {
        let (file, group, codes) = (records.file, DispatchGroup(), LockedValue<[String?]>([]))
        // Together the threads hold the lock longer than one waits for another process.
        for _ in 0..<20 {
            group.enter()
            Thread {
                let code = errorCode {
                    try file.withRecords { (_) throws(PushCryptError) in _ = usleep(20_000) }
                }
                codes.withLock { $0.append(code?.rawValue) }
                group.leave()
            }.start()
        }
        group.wait()
        #expect(codes.withLock { $0 } == Array(repeating: nil, count: 20))
    }

    @Test("An error releases the lock") func lockAfterError() throws {
        let code = errorCode {
            try records.file.withRecords { (_) throws(PushCryptError) in
                throw PushCryptError(.replayed, "No.")
            }
        }
        #expect(code == .replayed)
        try records.add(1)
    }

    @Test("No record of many threads is lost") func manyThreads() throws {
        let records = records
        onThreads(8) { thread in
            for number in 0..<100 {
                _ = errorCode { try records.addAtLast(UInt64(1000 * thread + number)) }
            }
        }
        let all = try records.all
        #expect(all.count == 800)
        #expect(
            Set(all)
                == Set((0..<8).flatMap { thread in (0..<100).map { UInt64(1000 * thread + $0) } }))
        for thread in UInt64(0)..<8 {
            #expect(
                all.filter { $0 / 1000 == thread } == (0..<100).map { 1000 * thread + $0 },
                "The records of a thread keep their order.")
        }
    }

    @Test("No record of many processes is lost", .timeLimit(.minutes(20))) func manyProcesses()
        async throws
    {
        let folder = scratch.path
        await withTaskGroup(of: Void.self) { group in
            for process in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [folder = folder as String, process = process as Int] in
                        let records = TestRecords(folder + "/records", capacity: 100_000)
                        // All processes begin together.
                        try Data().write(to: URL(fileURLWithPath: "\(folder)/ready-\(process)"))
                        for _ in 0..<30_000 {
                            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                            if names.filter({ $0.hasPrefix("ready-") }).count == 3 { break }
                            usleep(1000)
                        }
                        for number in 0..<300 {
                            try records.addAtLast(UInt64(1000 * process + number))
                        }
                    }
                }
            }
        }
        let all = try records.all
        #expect(all.count == 900)
        for process in UInt64(0)..<3 {
            #expect(all.filter { $0 / 1000 == process } == (0..<300).map { 1000 * process + $0 })
        }
    }

    @Test(
        "A killed process leaves whole records and no lock", .timeLimit(.minutes(20)),
        arguments: [3000, 10_000, 40_000] as [UInt32])
    func killedProcess(_ microseconds: UInt32) async throws {
        let path = records.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, wait = microseconds as UInt32] in
            let records = TestRecords(path, capacity: 100_000)
            Thread {
                usleep(wait)
                kill(getpid(), SIGKILL)
            }.start()
            var number: UInt64 = 0
            while true {
                try records.add(number)
                number += 1
            }
        }
        let all = try records.all
        #expect(all == (0..<UInt64(all.count)).map { $0 })
        try records.add(77)
        #expect(try records.all == all + [77])
    }

    // MARK: Files that another process removes or replaces

    @Test(
        "A file that was replaced is not written", .timeLimit(.minutes(20)),
        arguments: ["removed", "replaced", "moved"])
    func replacedFile(_ what: String) throws {
        // On a busy machine, the writer may wait in vain for the lock, which is another test's
        // subject.
        while try isLockMissed(what) {}
    }

    /// Removes or replaces a file for whose lock a thread waits.
    ///
    /// - Returns: A Boolean value that indicates whether the thread didn't get the lock in time.
    private func isLockMissed(_ what: String) throws -> Bool {
        let scratch = try Scratch()
        let records = TestRecords(scratch.file("records"))
        try records.add(1)
        let other = locked(records)
        let (done, code) = (DispatchSemaphore(value: 0), LockedValue<PushCryptError.Code?>(nil))
        Thread {
            let failure = errorCode { try records.addAtLast(2) }
            code.withLock { $0 = failure }
            done.signal()
        }.start()
        // Time to open the file and wait for the lock.
        usleep(15_000)
        switch what {
        case "removed": #expect(unsafe unlink(records.path) == 0)
        case "moved": #expect(unsafe rename(records.path, scratch.file("elsewhere")) == 0)
        default:
            let new = TestRecords(scratch.file("new"))
            try new.add(5)
            #expect(unsafe rename(new.path, records.path) == 0)
        }
        close(other)
        done.wait()
        if code.withLock({ $0 }) == .lockTimeout { return true }
        #expect(code.withLock { $0 } == nil)
        #expect(try records.all == (what == "replaced" ? [5, 2] : [2]))
        if what == "moved" { #expect(try TestRecords(scratch.file("elsewhere")).all == [1]) }
        return false
    }
}

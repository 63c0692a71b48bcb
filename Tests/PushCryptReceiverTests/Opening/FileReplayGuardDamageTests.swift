import Foundation
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
import PushCryptSystem
#endif

/// A guard whose file is truncated, damaged, shared or missing.
@Suite(.thorough) struct FileReplayGuardDamageTests {
    let file: GuardFile
    let replayGuard: FileReplayGuard

    init() throws {
        file = try GuardFile()
        replayGuard = FileReplayGuard(path: file.path)
    }

    /// Returns the code of admitting an ID.
    private func code(_ number: Int) -> PushCryptError.Code? {
        errorCode { try replayGuard.admit(number) }
    }

    @Test("A truncated file loses only its incomplete IDs")
    func truncatedFileLosesOnlyItsIncompleteIDs() throws {
        for number in 1...5 { #expect(try replayGuard.isNew(number)) }
        let whole = file.bytes
        for length in 0...whole.count {
            file.write(Array(whole.prefix(length)))
            // A file that is shorter than its mark reports a loss, but admits the message.
            #expect(code(9) == ((1..<8).contains(length) ? .fileSystemError : nil), "\(length)")
            #expect(code(9) == .replayed)
            for number in 1...5 {
                #expect(
                    code(number)
                        == (8 + (2 + number) * GuardFile.recordLength <= length ? .replayed : nil))
            }
        }
    }

    @Test("A kill during a write loses no other ID") func killDuringAWriteLosesNoOtherID() throws {
        // IDs that stay, leave, use a free record, and let the file be cut.
        var kept: [Int] = []
        for (number, time) in [
            (1, 0), (2, 90), (3, 5), (4, 95), (5, 101), (6, 104), (7, 106), (8, 300), (9, 300),
        ] {
            let before = file.bytes
            #expect(try replayGuard.isNew(number, at: .example + Double(time)))
            let after = file.bytes
            kept = kept.filter { file.numbers.contains($0) }
            // A write that ends in the middle: new bytes up to a location, old bytes after it.
            for length in stride(
                from: 8, to: max(before.count, after.count, 9), by: LongRun.count(5, full: 1))
            {
                file.write(Array(after.prefix(length)) + before.dropFirst(length))
                for number in kept {
                    #expect(
                        errorCode { try replayGuard.admit(number, at: .example + Double(time)) }
                            == .replayed)
                }
            }
            file.write(after)
            kept.append(number)
        }
    }

    @Test("A damaged byte doesn't reject a new ID", arguments: [0x01, 0x80, 0xFF] as [UInt8])
    func damagedByteDoesntRejectANewID(_ change: UInt8) throws {
        for number in 1...3 { #expect(try replayGuard.isNew(number)) }
        let whole = file.bytes
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= change
            file.write(bytes)
            #expect(code(9) == (place < 8 ? .fileSystemError : nil), "\(place)")
            #expect(code(9) == .replayed)
            let hit = place < 8 ? nil : (place - 8) / GuardFile.recordLength - 1
            for number in 1...3 where number != hit {
                #expect(code(number) == (place < 8 ? nil : .replayed))
            }
        }
    }

    @Test("Random bytes don't crash the guard") func randomBytesDontCrashTheGuard() throws {
        var random = SeededRandom(seed: 11)
        for round in 0..<LongRun.count(60, full: 300) {
            let bytes = random.bytes(Int(random.next() % 200))
            file.write((round % 2 == 0 ? GuardFile.mark : []) + bytes)
            let code = code(9)
            // Random times may be in the far future.
            #expect(
                code == nil || (round % 2 == 0 && code == .possiblyReplayed)
                    || (round % 2 == 1 && (code == .insecureFile || code == .fileSystemError)))
        }
    }

    @Test("A file of another type stays unchanged") func fileOfAnotherTypeStaysUnchanged() throws {
        for text in [#"{"keys":[]}"#, "PCLOG\u{1}\r\n"] {
            file.write(Array(text.utf8))
            #expect(code(1) == .insecureFile)
            #expect(file.bytes == Array(text.utf8))
        }
    }

    // MARK: Concurrency

    @Test("Concurrent threads admit each ID once") func concurrentThreadsAdmitEachIDOnce() throws {
        let path = file.path
        let admitted = LockedValue<[Int]>([])
        onThreads(8) { thread in
            let replayGuard = FileReplayGuard(path: path, capacity: 1000 + thread % 2)
            for number in 1...100 where (try? replayGuard.isNew(number)) == true {
                admitted.withLock { $0.append(number) }
            }
        }
        #expect(admitted.withLock { $0.sorted() } == Array(1...100))
    }

    @Test("Concurrent processes admit each ID once", .timeLimit(.minutes(20)))
    func concurrentProcessesAdmitEachIDOnce()
        async throws
    {
        let folder = file.scratch.path
        await withTaskGroup(of: Void.self) { group in
            for process in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [folder = folder as String, process = process as Int] in
                        try Data().write(to: URL(fileURLWithPath: "\(folder)/ready-\(process)"))
                        // The processes begin at the same time.
                        for _ in 0..<30_000 {
                            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                            if names.filter({ $0.hasPrefix("ready-") }).count == 3 { break }
                            usleep(1000)
                        }
                        let replayGuard = FileReplayGuard(path: folder + "/ids")
                        let admitted = try (1...200).filter { try replayGuard.isNew($0) }
                        try Data(admitted.map { UInt8($0) }).write(
                            to: URL(fileURLWithPath: "\(folder)/new-\(process)"))
                    }
                }
            }
        }
        let admitted = (0..<3).flatMap { file.scratch.contents(of: "new-\($0)") ?? [] }
        #expect(admitted.sorted() == Array(1...200))
    }

    // MARK: Opener

    private func openTwice(_ path: String) throws -> (
        first: OpenedPush, second: Result<OpenedPush, any Error>
    ) {
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let contents = file.bytes
        let account = PushAccount("", keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        let strict = Opener(
            accounts: [account], replayGuard: FileReplayGuard(path: path), requiresReplayGuard: true
        )
        let isUsable = errorCode { try strict.open(json: push.payload) } == nil
        if file.bytes != contents { file.write(contents) }
        let opener = Opener(accounts: [account], replayGuard: FileReplayGuard(path: path))
        let first = try opener.open(json: push.payload)
        #expect((first.replayGuardFailure == nil) == isUsable)
        return (first, Result { try opener.open(json: push.payload) })
    }

    @Test("A message opens once") func messageOpensOnce() throws {
        let (first, second) = try openTwice(file.path)
        #expect(first.replayGuardFailure == nil)
        #expect(throws: PushCryptError(.replayed, "")) { try second.get() }
    }

    @Test(
        "A file that can't be used doesn't reject messages",
        arguments: ["missing", "directory", "other", "link", "locked", "damaged"])
    func fileThatCantBeUsedDoesntRejectMessages(_ fault: String) throws {
        let path = fault == "missing" ? file.scratch.file("missing/ids") : file.path
        var lock: Int32 = -1
        switch fault {
        case "directory":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        case "other": file.write(Array("something else".utf8))
        case "link":
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        case "locked":
            file.write(GuardFile.mark)
            lock = unsafe open(path, O_RDWR | O_CLOEXEC)
            #expect(flock(lock, LOCK_EX) == 0)
        case "damaged": file.write(Array("PCIDS\u{2}\n\n".utf8))
        default: break
        }
        let (first, second) = try openTwice(path)
        if lock >= 0 { close(lock) }
        let failure = try #require(first.replayGuardFailure)
        #expect(failure.code == .replayGuardUnavailable)
        #expect(failure.reason.contains(path))
        if fault == "damaged" {
            #expect(throws: PushCryptError(.replayed, "")) { try second.get() }
        } else {
            #expect(try second.get().replayGuardFailure?.code == .replayGuardUnavailable)
        }
    }

    @Test("The handler's log reports a failed guard", arguments: [true, false])
    func handlersLogReportsAFailedGuard(
        fails: Bool
    ) throws {
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        if fails { file.scratch.write(Array("something else".utf8), to: "pushcrypt.ids") }
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        configuration.directory = file.scratch.path
        let events = LockedValue<[String]>([])
        let done = DispatchSemaphore(value: 0)
        let recorder = ContentHandlerRecorder()
        PushInbox(configuration, timer: TestClock()).handle(
            try DeliveredNotification(json: push.payload),
            log: { event in
                let text =
                    event.failure?.code.rawValue ?? (event.outcome?.push == nil ? "?" : "opened")
                events.withLock { $0.append(text) }
                done.signal()
            }, handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "a")
        #expect(done.wait(timeout: .now() + 600) == .success)
        #expect(done.wait(timeout: .now() + (fails ? 60 : 0.1)) == (fails ? .success : .timedOut))
        #expect(
            events.withLock { $0 } == (fails ? ["opened", "replay-guard-unavailable"] : ["opened"]))
    }
}

import Dispatch
import PushCryptSender
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI

/// A program that signs, and fails or ends for a while.
@Suite struct SignCommandPauseTests {
    /// A stand-in of a program, whose next results a test sets.
    private final class Program: SigningProgram {
        enum Result: Sendable {
            case signature, failure, end
        }

        private let results: LockedValue<[Result]>
        private let ended = LockedValue(false)

        init(_ results: LockedValue<[Result]>) { self.results = results }

        var hasEnded: Bool { ended.withLock { $0 } }

        func sign(_ message: [UInt8], timeout: Double) throws(PushCryptError) -> [UInt8] {
            let result = results.withLock { $0.isEmpty ? .signature : $0.removeFirst() }
            if case .signature = result { return message }
            if case .end = result { ended.withLock { $0 = true } }
            throw PushCryptError(.signerFailed, "The program failed.")
        }
    }

    private let results = LockedValue<[Program.Result]>([])
    private let starts = LockedValue(0)
    private let time = LockedValue(DispatchTime(uptimeNanoseconds: 1_000_000_000))
    private let command: SignCommand

    init() {
        let (results, starts, time) = (results, starts, time)
        command = SignCommand(
            timeout: 30, now: { time.withLock { $0 } },
            start: {
                starts.withLock { $0 += 1 }
                return Program(results)
            })
    }

    private func results(_ next: Program.Result...) { results.withLock { $0 = next } }

    private func wait(_ seconds: Double) { time.withLock { $0 = $0 + seconds } }

    private var startCount: Int { starts.withLock { $0 } }

    private func fails() -> Bool { errorCode { try command.sign([1]) } == .signerFailed }

    @Test("After three failures in a row, the program is asked again after the time of its timeout")
    func pause() throws {
        results(.failure, .failure, .failure, .failure)
        for _ in 0..<6 { #expect(fails()) }
        #expect(startCount == 3)
        wait(29)
        #expect(fails() && startCount == 3)
        wait(1)
        #expect(fails() && startCount == 4, "It fails again.")
        #expect(fails() && startCount == 4)
        wait(30)
        for _ in 0..<3 { #expect(try command.sign([1]) == [1]) }
        #expect(startCount == 5)
    }

    @Test("A signature ends a row of failures") func signatureEndsTheRow() throws {
        for _ in 0..<5 {
            results(.failure, .failure)
            #expect(fails() && fails())
            #expect(try command.sign([1]) == [1])
        }
    }

    @Test("A program that ended while it was idle is started again, once for each message")
    func idleEnd() throws {
        #expect(try command.sign([1]) == [1])
        results(.end)
        #expect(try command.sign([2]) == [2])
        #expect(startCount == 2)
        results(.end, .end)
        #expect(fails() && startCount == 3)
        // A program that fails without an end isn't asked twice for one message.
        #expect(try command.sign([3]) == [3])
        results(.failure)
        #expect(fails() && startCount == 4)
    }

    @Test("Threads that fail together count as one failure") func burst() throws {
        struct Barrier: SigningProgram {
            let threads: DispatchGroup
            let hasEnded = false

            func sign(_ message: [UInt8], timeout: Double) throws(PushCryptError) -> [UInt8] {
                if message == [0] { return message }
                threads.leave()
                threads.wait()
                throw PushCryptError(.signerFailed, "The program failed.")
            }
        }
        let threads = DispatchGroup()
        for _ in 0..<8 { threads.enter() }
        let command = SignCommand(
            timeout: 30, now: { .now() }, start: { Barrier(threads: threads) })
        onThreads(8) { _ in #expect(errorCode { try command.sign([1]) } == .signerFailed) }
        #expect(try command.sign([0]) == [0])
    }
}

import Foundation
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI
@testable import PushCryptKeyring

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A signal ends the wait for a passphrase at any time.
///
/// Signals belong to the process, so each test starts a process.
@Suite(.toolThreads) struct InterruptibleWaitTests {
    @Test(
        "A signal just before the wait ends it",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP], [false, true])
    func aSignalJustBeforeTheWaitEndsIt(_ signal: Int32, isBlocked: Bool) async {
        await #expect(processExitsWith: .success) {
            [signal = signal as Int32, isBlocked = isBlocked as Bool] in
            set(signal, isBlocked: isBlocked)
            let pipe = Foundation.Pipe()
            let input = FileDescriptor(
                owning: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
            let wait = InterruptibleWait()
            raise(signal)
            // No process writes: without the signal, only the alarm ends this.
            alarm(120)
            let isReadable = wait.untilReadable(input)
            wait.end()
            #expect(!isReadable)
            try pipe.fileHandleForWriting.close()
        }
    }

    @Test("Available input is readable") func availableInputIsReadable() async {
        await #expect(processExitsWith: .success) {
            let pipe = Foundation.Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: [1])
            let input = FileDescriptor(
                owning: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
            let wait = InterruptibleWait()
            let isReadable = wait.untilReadable(input)
            wait.end()
            #expect(isReadable)
        }
    }

    @Test("Any number can be waited for", arguments: [63, 64, 1023, 1024, 100_000] as [Int32])
    func anyNumberCanBeWaitedFor(_ number: Int32) async {
        await #expect(processExitsWith: .success) { [number = number as Int32] in
            let end = Foundation.Pipe()
            // If the system does not allow the number, it is not open, and the read fails.
            _ = dup2(end.fileHandleForReading.fileDescriptor, number)
            try end.fileHandleForWriting.close()
            let input = FileDescriptor(owning: number, name: "null")
            let wait = InterruptibleWait()
            let isReadable = wait.untilReadable(input)
            wait.end()
            #expect(isReadable)
        }
    }

    @Test("A signal after the wait has its usual effect")
    func aSignalAfterTheWaitHasItsUsualEffect() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            set(SIGTERM, isBlocked: false)
            let wait = InterruptibleWait()
            raise(SIGTERM)
            wait.end()
        }
    }

    @Test("No signal is blocked afterwards") func noSignalIsBlockedAfterwards() async {
        await #expect(processExitsWith: .signal(SIGHUP)) {
            set(SIGHUP, isBlocked: false)
            InterruptibleWait().end()
            raise(SIGHUP)
        }
    }
}

/// Blocks a signal in this thread, as in threads that run tests, or unblocks it, as in a tool's
/// first thread.
private func set(_ signal: Int32, isBlocked: Bool) {
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe sigaddset(&mask, signal)
    unsafe pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &mask, nil)
}

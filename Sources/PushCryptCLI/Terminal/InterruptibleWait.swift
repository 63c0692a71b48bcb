internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// A wait for input that signals end, instead of the process: the terminal must get its echo back
/// first.
struct InterruptibleWait {
    /// A signal, and what handled it before the wait.
    private struct Handler {
        let signal: Int32
        let before: (@convention(c) (Int32) -> Void)?
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    private let handlers: [Handler]
    private var maskBefore = sigset_t()
    private var maskWhileWaiting: sigset_t

    init() {
        var held = sigset_t()
        unsafe sigemptyset(&held)
        for number in Self.signals { unsafe sigaddset(&held, number) }
        // First of all: a signal in between would be lost.
        unsafe pthread_sigmask(SIG_BLOCK, &held, &maskBefore)
        handlers = Self.signals.map { number in
            Handler(signal: number, before: signal(number) { _ in })
        }
        maskWhileWaiting = maskBefore
        // The calling thread may block them.
        for number in Self.signals { unsafe sigdelset(&maskWhileWaiting, number) }
    }

    /// Waits for input or its end, and returns `false` if a signal arrives first.
    func untilReadable(_ file: borrowing FileDescriptor) -> Bool {
        file.withNumber { number in
            var files = fd_set()
            let hasRoom = unsafe withUnsafeMutableBytes(of: &files) { bytes in
                // FD_SET, as on every little-endian platform.
                guard number >= 0, Int(number) / 8 < bytes.count else { return false }
                unsafe bytes[Int(number) / 8] |= 1 << UInt8(number % 8)
                return true
            }
            // The set has no room for a greater number: the read itself waits, and signals with it.
            guard hasRoom else { return true }
            var mask = maskWhileWaiting
            return unsafe pselect(number + 1, &files, nil, nil, nil, &mask) >= 0 || errno != EINTR
        }
    }

    /// Restores the signals, so that one that has arrived since the wait takes effect.
    func end() {
        for handler in handlers { _ = signal(handler.signal, handler.before) }
        var mask = maskBefore
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}

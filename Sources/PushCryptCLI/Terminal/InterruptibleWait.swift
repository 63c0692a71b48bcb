internal import PushCryptCore
internal import PushCryptKeyring

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// While it lasts, the signals that would end or stop the process only end a wait: a terminal must get its echo back first.
///
/// The signals are held back but for the wait itself, so that one that comes just before it is not lost either: see
/// pselect(2).
package struct InterruptibleWait {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    private let actions: [(number: Int32, before: sigaction)]
    private var maskBefore = sigset_t()
    private var maskWhileWaiting: sigset_t

    init() {
        var action = sigaction()
        #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = { _ in }
        #elseif canImport(Musl)
        unsafe action.__sa_handler.sa_handler = { _ in }
        #else
        unsafe action.__sigaction_handler.sa_handler = { _ in }
        #endif
        var held = sigset_t()
        unsafe sigemptyset(&held)
        for number in Self.signals { unsafe sigaddset(&held, number) }
        // First of all: a signal that came between would do nothing and be gone.
        unsafe pthread_sigmask(SIG_BLOCK, &held, &maskBefore)
        actions = Self.signals.map { number in
            var before = sigaction()
            _ = unsafe sigaction(number, &action, &before)
            return (number, before)
        }
        maskWhileWaiting = maskBefore
        // Whoever has called may run on a thread that blocks them.
        for number in Self.signals { unsafe sigdelset(&maskWhileWaiting, number) }
    }

    /// Waits until there is something to read, or the end of it.
    ///
    /// - Returns: `false` where a signal came before.
    func untilReadable(_ file: borrowing FileDescriptor) -> Bool {
        file.withNumber { number in
            var files = fd_set()
            let hasRoom = unsafe withUnsafeMutableBytes(of: &files) { bytes in
                // Bit by number, which FD_SET is on every platform whose numbers begin with the lowest byte.
                guard number >= 0, Int(number) / 8 < bytes.count else { return false }
                unsafe bytes[Int(number) / 8] |= 1 << UInt8(number % 8)
                return true
            }
            // A number beyond the set cannot be waited for: the read itself then waits, and signals have to.
            guard hasRoom else { return true }
            var mask = maskWhileWaiting
            return unsafe pselect(number + 1, &files, nil, nil, nil, &mask) >= 0 || errno != EINTR
        }
    }

    /// Gives the signals back.
    ///
    /// One that has come since the wait now does what it does otherwise.
    func end() {
        for (number, before) in actions {
            var before = before
            _ = unsafe sigaction(number, &before, nil)
        }
        var mask = maskBefore
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}

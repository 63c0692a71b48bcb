internal import Dispatch
internal import Foundation
internal import PushCryptSystem

/// The signals with which a user or the system asks a command to end, and that let it write what it
/// has.
///
/// After two signals, a third one has its usual effect.
final class Interruption: Sendable {
    private static let signals = [SIGINT, SIGTERM]
    private let state = LockedValue(State())

    /// The sources, which any thread may use.
    private struct State: @unchecked Sendable {
        var count = 0
        var sources: [any DispatchSourceSignal] = []
    }

    /// Calls a closure at each of the first two signals, on any thread.
    init(_ handler: @escaping @Sendable () -> Void) {
        state.withLock {
            $0.sources = Self.signals.filter(Self.isHeeded).map { source(of: $0, handler) }
        }
    }

    private func source(of number: Int32, _ handler: @escaping @Sendable () -> Void)
        -> any DispatchSourceSignal
    {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [weak self] in
            handler()
            self?.count()
        }
        source.resume()
        return source
    }

    /// Lets signals have their usual effect.
    func end() {
        state.withLock { state in
            for source in state.sources {
                source.cancel()
                _ = signal(Int32(source.handle), SIG_DFL)
            }
            state.sources = []
        }
    }

    private func count() {
        let count = state.withLock { state in
            state.count += 1
            return state.count
        }
        if count == 2 { end() }
    }

    /// Ignores a signal, as sources require; returns `false` if it was ignored before, as in a
    /// shell's background.
    private static func isHeeded(_ number: Int32) -> Bool {
        let before = signal(number, SIG_IGN)
        // The C library defines SIG_IGN as the number 1.
        return unsafe unsafeBitCast(before, to: Int.self) != 1
    }
}

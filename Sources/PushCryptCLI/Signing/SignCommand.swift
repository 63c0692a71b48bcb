internal import Dispatch
internal import PushCryptSender
internal import PushCryptSystem

/// A running program that signs, which one thread uses at a time.
protocol SigningProgram: Sendable {
    /// A Boolean value that indicates whether the program has closed its input or its output.
    var hasEnded: Bool { get }

    func sign(_ message: [UInt8], timeout: Double) throws(PushCryptError) -> [UInt8]
}

/// A program that signs outside of this process, with as many processes as threads sign at the same
/// time.
final class SignCommand: Sendable {
    private struct State {
        var idle: [any SigningProgram] = []
        /// The number of failures since the last signature.
        ///
        /// Threads that fail together count as one failure.
        var failures = 0
        var lastFailure: PushCryptError?
        /// The time until which the program isn't asked.
        var pauseEnd = DispatchTime(uptimeNanoseconds: 0)
    }

    /// The number of failures in a row after which the program isn't asked for the time of its
    /// timeout.
    ///
    /// Otherwise each line of a long input could wait for a program that hangs.
    private static let patience = 3

    private let start: @Sendable () throws(PushCryptError) -> any SigningProgram
    private let timeout: Double
    private let now: @Sendable () -> DispatchTime
    private let state = LockedValue(State())

    /// Prepares a command, which the first message starts.
    convenience init(_ command: String, timeout: Double) {
        let words = Self.words(of: command)
        self.init(timeout: timeout, now: { .now() }) { () throws(PushCryptError) in
            try SignProcess(words)
        }
    }

    /// Prepares a program by another clock.
    init(
        timeout: Double, now: @escaping @Sendable () -> DispatchTime,
        start: @escaping @Sendable () throws(PushCryptError) -> any SigningProgram
    ) {
        self.timeout = timeout
        self.now = now
        self.start = start
    }

    /// Returns the program and its arguments, which spaces separate.
    static func words(of command: String) -> [String] {
        command.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Returns the signature of a message, which the caller verifies.
    func sign(_ message: [UInt8]) throws(PushCryptError) -> [UInt8] {
        let known = try admit()
        do throws(PushCryptError) {
            let signature = try ask(message)
            state.withLock { $0.failures = 0 }
            return signature
        } catch {
            record(error, after: known)
            throw error
        }
    }

    /// Returns the number of failures so far, or throws the last failure during a pause.
    ///
    /// After a pause, one thread asks, and the others still fail.
    private func admit() throws(PushCryptError) -> Int {
        let time = now()
        let (known, failure) = state.withLock { state -> (Int, PushCryptError?) in
            guard state.failures >= Self.patience else { return (state.failures, nil) }
            guard time >= state.pauseEnd else { return (state.failures, state.lastFailure) }
            state.pauseEnd = time + timeout
            return (state.failures, nil)
        }
        if let failure { throw failure }
        return known
    }

    private func record(_ error: PushCryptError, after known: Int) {
        let end = now() + timeout
        state.withLock { state in
            if state.failures == known { state.failures += 1 }
            state.lastFailure = error
            state.pauseEnd = end
        }
    }

    private func ask(_ message: [UInt8]) throws(PushCryptError) -> [UInt8] {
        if let idle = state.withLock({ $0.idle.popLast() }) {
            do throws(PushCryptError) {
                return try sign(message, with: idle)
            } catch {
                // A program may end when it has been idle for a while.
                guard idle.hasEnded else { throw error }
            }
        }
        return try sign(message, with: start())
    }

    private func sign(_ message: [UInt8], with program: any SigningProgram) throws(PushCryptError)
        -> [UInt8]
    {
        let signature = try program.sign(message, timeout: timeout)
        state.withLock { $0.idle.append(program) }
        return signature
    }
}

#if APNs
/// The silence of a connection, counted in ticks of its timer.
///
/// Ticks, unlike times, stand still while the process does. A machine that was suspended, or is
/// overloaded, doesn't take its own pause for the server's silence.
struct Liveness {
    enum Step: Equatable {
        case wait
        /// Send PING, because the server has been silent while requests wait for their answers.
        case ping
        /// Close the connection, because the server hasn't answered the PING.
        case close
    }

    /// The ticks of silence before a PING.
    static let ticksBeforePing = 4
    /// The ticks of silence before the end, including those before the PING.
    static let ticksBeforeEnd = 10

    private(set) var tick = 0
    private var lastRead = 0
    /// A Boolean value that indicates whether a PING waits for its answer.
    private(set) var isWaitingForPing = false

    /// The server has sent a frame.
    mutating func heard() { lastRead = tick }

    /// A request was sent, or nothing was open before: earlier silence doesn't count.
    mutating func restart() { lastRead = tick }

    /// The connection sends PING.
    mutating func pinged() {
        isWaitingForPing = true
        lastRead = tick
    }

    /// The server has answered a PING.
    mutating func heardPing() { isWaitingForPing = false }

    /// Counts a tick, and returns the next step.
    mutating func advance(isWaiting: Bool) -> Step {
        tick += 1
        guard isWaiting || isWaitingForPing else { return .wait }
        let silence = tick - lastRead
        if silence >= Self.ticksBeforeEnd { return .close }
        guard silence >= Self.ticksBeforePing, !isWaitingForPing else { return .wait }
        isWaitingForPing = true
        return .ping
    }
}

/// The time limits of a connection.
struct Patience: Sendable {
    /// The nanoseconds between two ticks: a second, or less if the time limit of a request is
    /// short.
    let tick: Int64
    /// The ticks that a request may take.
    let ticksOfRequest: Int
    /// The nanoseconds for TCP, TLS and the first SETTINGS.
    let connecting: Int64
    /// The nanoseconds without a frame after which a PING precedes the next request.
    let idle: Int64

    /// Creates the limits.
    ///
    /// - Parameters:
    ///   - seconds: The time limit of one request.
    ///   - idle: The seconds without a frame after which a PING precedes the next request.
    init(seconds: Double, idle: Double) {
        let limit = Int64(seconds * 1e9)
        tick = min(1_000_000_000, max(1_000_000, limit / 20))
        ticksOfRequest = Int(max(1, limit / tick))
        connecting = min(limit, 15_000_000_000)
        self.idle = Int64(idle * 1e9)
    }
}
#endif

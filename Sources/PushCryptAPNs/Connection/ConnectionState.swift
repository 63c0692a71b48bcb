#if APNs
/// The state of one connection to APNs, as a value without I/O.
///
/// ```
/// connecting → waitingForSettings → firstRequestAlone → open → draining → closed
/// ```
/// A connection can go to `draining` or `closed` from each earlier phase, and never back.
struct ConnectionState {
    enum Phase: Sendable, CaseIterable {
        /// TCP and TLS aren't ready.
        case connecting
        /// The server's SETTINGS are missing, so the number of streams is unknown.
        case waitingForSettings
        /// One request at a time is sent, until APNs accepts the provider token
        /// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
        case firstRequestAlone
        /// Requests are sent on as many streams as the server allows.
        case open
        /// The server has sent GOAWAY, or all stream numbers are used. Open streams get their
        /// answers.
        case draining
        /// The connection has ended.
        case closed
    }

    /// The number of streams that a client opens if the server names no limit.
    static let defaultStreamLimit = 1000
    /// The last number that a client's stream can have (RFC 9113, section 5.1.1).
    static let lastStream = Int(Int32.max)

    private(set) var phase = Phase.connecting
    /// The number of streams that the server allows at the same time.
    private(set) var streamLimit = 0
    private(set) var openStreams = 0
    private var nextStream: Int

    /// Creates the state of a new connection.
    ///
    /// - Parameter firstStream: The number of the first stream. Tests start with a later one.
    init(firstStream: Int = 1) { nextStream = firstStream }

    /// The number of requests that the connection takes now.
    var room: Int {
        switch phase {
        case .firstRequestAlone: openStreams == 0 && streamLimit > 0 ? 1 : 0
        case .open: max(0, streamLimit - openStreams)
        case .connecting, .waitingForSettings, .draining, .closed: 0
        }
    }

    /// A Boolean value that indicates whether the connection has nothing left to do.
    var isDrained: Bool { phase == .draining && openStreams == 0 }

    /// A Boolean value that indicates whether the connection takes requests later, if not now.
    var isUsable: Bool { phase != .draining && phase != .closed }

    /// A Boolean value that indicates whether the connection has never taken a request.
    var isOpening: Bool { phase == .connecting || phase == .waitingForSettings }

    /// TLS is ready.
    mutating func connected() {
        if phase == .connecting { phase = .waitingForSettings }
    }

    /// The server has sent SETTINGS, with a number of streams or without.
    mutating func receivedSettings(streamLimit limit: Int?) {
        if phase == .waitingForSettings {
            phase = .firstRequestAlone
            streamLimit = Self.defaultStreamLimit
        }
        if let limit { streamLimit = min(limit, Self.defaultStreamLimit) }
    }

    /// Returns the number of a new stream; `nil` if the connection takes no request now.
    mutating func openStream() -> Int? {
        guard room > 0 else { return nil }
        let stream = nextStream
        nextStream += 2
        openStreams += 1
        if nextStream > Self.lastStream { phase = .draining }
        return stream
    }

    /// APNs has answered a request.
    ///
    /// Each status but 403 means that it has accepted the credentials.
    mutating func received(status: Int) {
        if phase == .firstRequestAlone, status != 403 { phase = .open }
    }

    /// A stream has ended.
    mutating func closedStream() { openStreams = max(0, openStreams - 1) }

    /// The server has sent GOAWAY.
    mutating func receivedGoAway() {
        if phase != .closed { phase = .draining }
    }

    /// The connection has ended.
    mutating func close() {
        phase = .closed
        openStreams = 0
    }
}
#endif

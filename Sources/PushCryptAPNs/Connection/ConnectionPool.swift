#if APNs
internal import NIOCore
internal import NIOHPACK

/// The owner of a pool, on its event loop.
protocol PoolOwner: AnyObject {
    /// Returns the fields of a request; `nil` if no request can go now, because its provider token
    /// is missing.
    func fields(of request: PushRequest) -> HPACKHeaders?
    /// A request has ended on a connection.
    func ended(_ request: PushRequest, _ fate: Fate)
    /// No connection could be opened for a request that waits.
    ///
    /// - Returns: A Boolean value that indicates whether the request goes on waiting.
    func couldNotConnect(_ request: PushRequest, _ problem: ConnectionProblem) -> Bool
    /// All work of this turn of the event loop is done.
    func turnEnded()
}

/// The connections of one client, and one queue for all of them.
final class ConnectionPool: ConnectionOwner {
    /// The number of failed connections in a row after which requests stop waiting for the next
    /// one.
    static let maximumFailures = 5

    private weak var owner: (any PoolOwner)?
    private let loop: any EventLoop
    private let limit: Int
    private let pause: Double
    private var connector: Connector
    private(set) var connections: [Connection] = []
    private var queue = CircularBuffer<PushRequest>()
    /// The index of the connection that takes the next request.
    private var turn = 0
    /// The connections in a row that ended before APNs answered a request.
    private var failures = 0
    /// The pause before the next connection is opened.
    private var pausing: Scheduled<Void>?
    private var isPumping = false
    private var isShutDown = false

    init(
        _ owner: any PoolOwner, limit: Int, pause: Double, on loop: any EventLoop,
        _ connector: Connector
    ) {
        self.owner = owner
        self.limit = limit
        self.pause = pause
        self.loop = loop
        self.connector = connector
    }

    // MARK: The queue

    /// Adds a request, which ``pump()`` sends.
    func enqueue(_ request: PushRequest) { queue.append(request) }

    /// Puts a request back that wasn't processed, before all others.
    func putBack(_ request: PushRequest) { queue.prepend(request) }

    /// Removes a request from the queue or from its connection.
    func cancel(_ request: PushRequest) {
        if let connection = request.connection {
            connection.cancel(request)
        } else if let index = queue.firstIndex(where: { $0 === request }) {
            queue.remove(at: index)
        }
    }

    /// Empties the queue, and returns its requests.
    func removeWaiting() -> [PushRequest] {
        defer { queue.removeAll() }
        return Array(queue)
    }

    /// Sends the requests for which there is room, and opens connections for others.
    ///
    /// Each turn of the event loop ends with it.
    func pump() {
        // A write can end a request or a connection, which calls this function again.
        guard !isPumping else { return }
        isPumping = true
        defer {
            isPumping = false
            owner?.turnEnded()
        }
        guard !isShutDown else { return }
        var hasSent = false
        while let request = queue.first, let connection = nextConnection(),
            let fields = owner?.fields(of: request)
        {
            queue.removeFirst()
            if connection.take(request, fields: fields, payload: request.submission.push.payload) {
                hasSent = true
            } else {
                queue.prepend(request)
            }
        }
        if hasSent { for connection in connections { connection.flush() } }
        openConnections()
    }

    /// Returns the next connection with room, in turn; `nil` if none has room.
    private func nextConnection() -> Connection? {
        for _ in connections.indices {
            turn = (turn + 1) % connections.count
            let connection = connections[turn]
            if !connection.checkIdle(), connection.room > 0 { return connection }
        }
        return nil
    }

    /// Opens a connection for each request that waits, up to the limit.
    ///
    /// After a failure, it opens one at a time.
    private func openConnections() {
        while pausing == nil, !isShutDown {
            let opening = connections.count { $0.state.isOpening }
            let usable = connections.count { $0.state.isUsable }
            guard queue.count > opening, usable < limit, failures == 0 || opening == 0 else {
                return
            }
            connections.append(connector.open(for: self))
        }
    }

    // MARK: Connections

    func ended(_ request: PushRequest, _ fate: Fate) {
        if case .answered = fate { failures = 0 }
        owner?.ended(request, fate)
    }

    func changed(_ connection: Connection) { pump() }

    func ended(_ connection: Connection, _ problem: ConnectionProblem) {
        connections.removeAll { $0 === connection }
        turn = 0
        guard !isShutDown else { return }
        if !connection.hasAnswered {
            failures += 1
            startPause(after: problem)
            let remaining = connections.contains { $0.state.isUsable }
            if problem.kind == .final || !remaining { refuseWaiting(problem) }
        }
        // A connection can end while another one takes a request.
        loop.assumeIsolated().execute { self.pump() }
    }

    /// Tells each request that waits about a failed connection.
    private func refuseWaiting(_ problem: ConnectionProblem) {
        let isOver = failures >= Self.maximumFailures || problem.kind == .final
        for request in removeWaiting() {
            request.failedConnections += 1
            let ends = isOver || request.failedConnections >= Self.maximumFailures
            if !ends || owner?.couldNotConnect(request, problem) == true { queue.append(request) }
        }
    }

    /// Waits before the next connection, twice as long after each failure.
    ///
    /// The first connection that ends without an answer is replaced at once, unless the server
    /// can't be reached.
    private func startPause(after problem: ConnectionProblem) {
        guard pausing == nil, failures > 1 || problem.kind == .unreachable else { return }
        let isOver = failures >= Self.maximumFailures
        let seconds = pause * Double(isOver ? 1 : 1 << (failures - 1)) * .random(in: 0.5...1)
        pausing = loop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) {
            [weak self] in
            self?.pausing = nil
            self?.pump()
        }
    }

    /// Closes all connections, and returns their channels.
    func shutDown() -> [any Channel] {
        isShutDown = true
        pausing?.cancel()
        let channels = connections.compactMap(\.channel)
        for connection in connections { connection.end(.shutDown) }
        connections = []
        return channels
    }
}
#endif

#if APNs
internal import AsyncHTTPClient
internal import Dispatch
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOPosix
internal import NIOSSL
internal import PushCryptKeyring
internal import PushCryptFoundation
internal import PushCryptSender
internal import PushCryptSystem

/// The connections of one client, each a client of its own, because AsyncHTTPClient has one connection per host.
final class Connections: Sendable {
    /// The failure of a request, which AsyncHTTPClient may have sent or not.
    struct Failure: Error {
        let cause: any Error
        let isUnsent: Bool
    }

    private struct Connection {
        let client: HTTPClient
        /// The number of streams so far.
        let streams: LockedValue<Int>
        var requests = 0
    }

    /// The open connections; empty after the client closes.
    private let connections: LockedValue<[Connection]>
    private let newConnection: @Sendable () -> Connection
    private let timeout: TimeAmount

    init(_ count: Int, to environment: APNsEnvironment, _ authentication: APNsAuthentication, timeout: TimeInterval) {
        self.timeout = .nanoseconds(Int64(timeout * 1e9))
        let patience = TimeAmount.nanoseconds(min(self.timeout.nanoseconds / 10 * 9, 5_000_000_000))
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = environment.trustRoots
        tls.minimumTLSVersion = .tlsv12
        if case .certificate(let chain, let key) = authentication.kind {
            tls.certificateChain = chain.map { .certificate($0) }
            tls.privateKey = .privateKey(key)
        }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // Requests wait in the client's queue for as long as a connection may take.
        configuration.timeout = .init(connect: self.timeout, read: self.timeout)
        // APNs asks for connections that stay open. Before the first one, the client would open several.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .minutes(15)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        // APNs has no HTTP/1.1, and without streams, requests would count as unsent.
        configuration.http1_1ConnectionDebugInitializer = { $0.eventLoop.makeFailedFuture(ChannelError.eof) }
        configuration.http2ConnectionDebugInitializer = { connection in
            connection.eventLoop.submit {
                let operations = connection.pipeline.syncOperations
                let http2 = try operations.handler(type: NIOHTTP2Handler.self)
                try operations.addHandler(ConnectionHandler(patience: patience), position: .after(http2))
            }
        }
        let newConnection = { @Sendable [base = configuration] in
            let streams = LockedValue(0)
            var configuration = base
            configuration.http2StreamChannelDebugInitializer = { stream in
                streams.withLock { $0 += 1 }
                return stream.eventLoop.makeCompletedFuture {
                    try stream.parent?.pipeline.syncOperations.handler(type: ConnectionHandler.self).admit(stream)
                }
            }
            return Connection(client: HTTPClient(configuration: configuration), streams: streams)
        }
        self.newConnection = newConnection
        connections = LockedValue((0..<count).map { _ in newConnection() })
    }

    /// Sends a request over the connection with the fewest open requests, and returns the answer.
    func execute(_ request: HTTPClientRequest) async throws -> APNsAnswer {
        let (index, connection) = try connections.withLock { connections in
            let index = connections.indices.min { connections[$0].requests < connections[$1].requests }
            guard let index else { throw CancellationError() }
            connections[index].requests += 1
            return (index, connections[index])
        }
        defer { connections.withLock { if index < $0.count { $0[index].requests -= 1 } } }
        let before = connection.streams.withLock { $0 }
        let response: HTTPClientResponse
        do {
            // For each new stream, the initializer calls ConnectionHandler.admit, which may hold its frames in a
            // StreamGate.
            response = try await connection.client.execute(request, timeout: timeout)
        } catch {
            let late: [HTTPClientError?] = [.deadlineExceeded, .connectTimeout, .getConnectionFromPoolTimeout]
            let isUnsent = connection.streams.withLock { $0 } == before
            if isUnsent, late.contains(error as? HTTPClientError) { replace(connection, at: index) }
            throw Failure(cause: error, isUnsent: isUnsent || error is NIOSSLError || error is NIOConnectionError)
        }
        // The status decides. Without the rest of the body, only the reason is missing. A cancelled task of the event
        // loop leaves the memory at once, unlike a cancelled sleep.
        let collecting = Task { try? await response.body.collect(upTo: 1 << 14) }
        let limit = HTTPClient.defaultEventLoopGroup.any().scheduleTask(in: timeout) { collecting.cancel() }
        defer { limit.cancel() }
        let body = await withTaskCancellationHandler {
            await collecting.value
        } onCancel: {
            collecting.cancel()
        }
        return APNsAnswer(
            status: Int(response.status.code), uniqueID: response.headers.first(name: "apns-unique-id"),
            retryAfter: response.headers.first(name: "retry-after"), body: body.map { Array(buffer: $0) } ?? [])
    }

    /// Replaces a connection that took no request in the whole time: AsyncHTTPClient waits for its settings for ever.
    private func replace(_ connection: Connection, at index: Int) {
        let isCurrent = connections.withLock { connections in
            guard index < connections.count, connections[index].client === connection.client else { return false }
            let requests = connections[index].requests
            connections[index] = newConnection()
            connections[index].requests = requests
            return true
        }
        if isCurrent { connection.client.shutdown { _ in } }
    }

    /// Closes the connections of a client that the app has released, which AsyncHTTPClient requires.
    deinit { for connection in connections.withLock({ $0 }) { connection.client.shutdown { _ in } } }

    /// Closes the connections, and waits for at most 5 seconds, because the server may never close its side.
    func shutDown() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let clients = connections.withLock { connections in
            defer { connections = [] }
            return connections.map(\.client)
        }
        for client in clients { client.shutdown { _ in end.yield() } }
        let limit = Task {
            try await Task.sleep(nanoseconds: 5_000_000_000)
            end.finish()
        }
        for await _ in ends.prefix(clients.count) {}
        limit.cancel()
    }
}
#endif

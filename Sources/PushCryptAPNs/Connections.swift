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

/// The connections of one client, each a client of its own, because AsyncHTTPClient has one connection per host.
final class Connections: Sendable {
    private let clients: [HTTPClient]
    private let inFlight: LockedValue<[Int]>
    private let timeout: TimeAmount

    init(_ count: Int, _ environment: APNsEnvironment, _ authentication: APNsAuthentication, timeout: TimeInterval) {
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
        // Requests also wait in the client's queue for as long as a connection may take.
        configuration.timeout = .init(connect: self.timeout, read: self.timeout)
        // APNs asks for connections that stay open. Before the first one, the client would open several.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .minutes(15)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        configuration.http2ConnectionDebugInitializer = { connection in
            connection.eventLoop.submit {
                let operations = connection.pipeline.syncOperations
                let http2 = try operations.handler(type: NIOHTTP2Handler.self)
                try operations.addHandler(ConnectionHandler(patience: patience), position: .after(http2))
            }
        }
        configuration.http2StreamChannelDebugInitializer = { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.parent?.pipeline.syncOperations.handler(type: ConnectionHandler.self).admit(stream)
            }
        }
        clients = (0..<count).map { _ in HTTPClient(configuration: configuration) }
        inFlight = LockedValue([Int](repeating: 0, count: count))
    }

    /// Sends a request over the connection with the fewest open requests, and returns the answer.
    func execute(_ request: HTTPClientRequest) async throws -> APNsAnswer {
        let index = inFlight.withLock { counts in
            let index = counts.indices.min { counts[$0] < counts[$1] } ?? 0
            counts[index] += 1
            return index
        }
        defer { inFlight.withLock { $0[index] -= 1 } }
        let response = try await clients[index].execute(request, timeout: timeout)
        // The status decides. Without the rest of the body, only the reason is missing.
        let body = await withTaskGroup(of: ByteBuffer?.self) { [timeout] group in
            group.addTask { try? await response.body.collect(upTo: 1 << 14) }
            group.addTask {
                try? await Task.sleep(nanoseconds: UInt64(timeout.nanoseconds))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return APNsAnswer(
            status: Int(response.status.code), uniqueID: response.headers.first(name: "apns-unique-id"),
            retryAfter: response.headers.first(name: "retry-after"), body: body.map { Array(buffer: $0) } ?? [])
    }

    /// Closes the connections of a client that the app has released, which AsyncHTTPClient requires.
    deinit {
        for client in clients { client.shutdown { _ in } }
    }

    func shutDown() async {
        for client in clients { try? await client.shutdown() }
    }

    /// Returns whether an error means that no request was sent.
    static func isUnsent(_ error: any Error) -> Bool {
        if error is NIOConnectionError || error is NIOSSLError { return true }
        let errors: [HTTPClientError] = [
            .alreadyShutdown, .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout,
        ]
        return (error as? HTTPClientError).map { errors.contains($0) } ?? false
    }
}
#endif

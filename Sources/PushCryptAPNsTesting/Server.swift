#if APNs
internal import Foundation
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import NIOPosix
internal import NIOSSL

/// A server for tests that stands in for Apple's APNs on localhost, and is as strict.
///
/// It doesn't deduplicate: everything that it accepts is recorded, as often as it arrives.
package final class TestAPNsServer: @unchecked Sendable {
    /// The name of the host, which the certificate has, too.
    package let host = "localhost"
    /// The port on 127.0.0.1.
    package private(set) var port = 0
    let options: Options

    // Guarded by the lock.
    private let lock = NSLock()
    private var currentScript: Script
    private var currentRecord = Record()
    private var tokens: ProviderTokenCheck
    private var channels: [ObjectIdentifier: any Channel] = [:]
    private var connections: [ObjectIdentifier: NIOLoopBound<Connection>] = [:]

    private let onAccept: @Sendable (Request) -> Void
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Starts a server, whose script is asked about each valid request.
    package init(
        _ options: Options = Options(), onAccept: @escaping @Sendable (Request) -> Void = { _ in },
        script: @escaping Script = { _ in .accept() }
    ) async throws {
        self.options = options
        self.onAccept = onAccept
        currentScript = script
        tokens = try ProviderTokenCheck(
            options.keys, lifetime: options.tokenLifetime, interval: options.tokenInterval)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(Certificates.server.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(Certificates.serverKey.utf8), format: .pem)))
        tls.minimumTLSVersion = .tlsv12
        // Connections that are silent on purpose don't answer the end either.
        tls.shutdownTimeout = .milliseconds(200)
        tls.applicationProtocols = options.protocols
        tls.trustRoots = .certificates(
            try NIOSSLCertificate.fromPEMBytes(Array(Certificates.authority.utf8)))
        tls.certificateVerification = .optionalVerification
        let channel = try await listen(with: NIOSSLContext(configuration: tls))
        port = channel.localAddress?.port ?? 0
        remember(channel)
    }

    private func listen(with context: NIOSSLContext) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { self.configure($0, context) }
            .bind(host: "127.0.0.1", port: options.port).get()
    }

    private func configure(_ channel: any Channel, _ context: NIOSSLContext) -> EventLoopFuture<
        Void
    > {
        channel.eventLoop.makeCompletedFuture {
            try self.configureTLS(channel, context)
        }.flatMap {
            channel.configureHTTP2SecureUpgrade(
                h2ChannelConfigurator: { channel in
                    channel.eventLoop.makeCompletedFuture { try self.configureHTTP2(channel) }
                },
                http1ChannelConfigurator: { $0.pipeline.addHandler(HTTP1Requests(server: self)) })
        }
    }

    /// The script, which can change while the server runs.
    package var script: Script {
        get { lock.withLock { currentScript } }
        set { lock.withLock { currentScript = newValue } }
    }

    /// A snapshot of the counts.
    package var record: Record {
        lock.withLock {
            currentRecord.tokens = tokens.tokens
            return currentRecord
        }
    }

    /// Lets all provider tokens that were seen be expired, and accepts new ones at once.
    package func expireTokens() {
        lock.withLock { tokens.expireAll() }
    }

    /// Ends all open connections.
    package func endConnections(_ ending: Ending) {
        forEachConnection { $0.end(ending) }
    }

    /// Tells all clients by GOAWAY that their connections end, and closes these when all requests
    /// have answers.
    package func leaveConnections() {
        forEachConnection { $0.leave() }
    }

    private func forEachConnection(_ action: @escaping @Sendable (Connection) -> Void) {
        for connection in lock.withLock({ Array(connections.values) }) {
            connection.eventLoop.execute { action(connection.value) }
        }
    }

    /// Closes all connections and frees the port.
    package func stop() async throws {
        let channels = lock.withLock { Array(self.channels.values) }
        for channel in channels { channel.close(promise: nil) }
        try await group.shutdownGracefully()
    }

    private func configureTLS(_ channel: any Channel, _ context: NIOSSLContext) throws {
        let number = lock.withLock {
            currentRecord.sockets += 1
            return currentRecord.sockets
        }
        let cutter = Cutter()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(cutter)
        if let interruption = options.interruption, interruption.isBelowTLS,
            number <= interruption.connections
        {
            try pipeline.addHandler(Interrupter(interruption, cutter: cutter))
        }
        try pipeline.addHandler(NIOSSLServerHandler(context: context))
    }

    private func configureHTTP2(_ channel: any Channel) throws {
        remember(channel)
        let pipeline = channel.pipeline.syncOperations
        let hasCertificate =
            try pipeline.handler(type: NIOSSLServerHandler.self).peerCertificate != nil
        let number = record.connections + 1
        let opening = number <= options.openedConnections ? options.opening : nil
        let writer = FrameWriter(
            limit: hasCertificate ? options.concurrentStreams : 1,
            isMute: number <= options.muteConnections,
            replacesSettings: opening != nil)
        let cutter = try pipeline.handler(type: Cutter.self)
        let connection = Connection(
            server: self, writer: writer, cutter: cutter, opening: opening,
            hasCertificate: hasCertificate)
        if let pieces = options.pieces { try pipeline.addHandler(Trickle(size: pieces)) }
        if let interruption = options.interruption, !interruption.isBelowTLS,
            number <= interruption.connections
        {
            try pipeline.addHandler(Interrupter(interruption, cutter: cutter))
        }
        try pipeline.addHandlers([
            writer, FrameReader(server: self, writer: writer),
            Self.frames(hasOpening: opening != nil), connection,
        ])
        let id = ObjectIdentifier(channel)
        let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
        lock.withLock { connections[id] = bound }
        channel.closeFuture.whenComplete { _ in self.lock.withLock { self.connections[id] = nil } }
    }

    /// Returns NIO's handler, which reads the headers of any table if the opening may allow that.
    private static func frames(hasOpening: Bool) -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            .unlimitedStreams, HTTP2Setting(parameter: .maxHeaderListSize, value: 8000),
        ]
        if hasOpening {
            connection.initialSettings.append(
                HTTP2Setting(parameter: .headerTableSize, value: Int(UInt32.max)))
        }
        connection.maximumConnectionGlitches = .max
        connection.maximumRecentlyResetStreams = 10_000
        connection.controlFrameRateLimit.maximumCount = .max
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = .max
        stream.streamErrorRateLimit.maximumCount = .max
        return NIOHTTP2Handler(
            mode: .server, connectionConfiguration: connection, streamConfiguration: stream)
    }

    private func remember(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        lock.withLock { channels[id] = channel }
        channel.closeFuture.whenComplete { _ in self.lock.withLock { self.channels[id] = nil } }
    }
}

// What connections report.
extension TestAPNsServer {
    /// A request as it arrived.
    struct Arrival {
        let headers: HPACKHeaders
        let payload: [UInt8]
        /// The length of the payload, of which a long one isn't kept.
        let size: Int
        /// The number of the connection, from 1.
        let connection: Int
        /// The key ID of the connection's first provider token.
        let keyID: String?
        let hasCertificate: Bool
    }

    struct Verdict {
        /// The key id of the provider token, if it is valid.
        let keyID: String?
        let result: Result<Request, Refusal>
    }

    func countConnection() -> Int {
        lock.withLock {
            currentRecord.connections += 1
            currentRecord.openConnections += 1
            currentRecord.requestsOfConnection.append(0)
            return currentRecord.connections
        }
    }

    func countEnd() { lock.withLock { currentRecord.openConnections -= 1 } }

    func countFrame(_ name: String) {
        lock.withLock { currentRecord.frames[name, default: 0] += 1 }
    }

    func countViolation(_ name: String) {
        lock.withLock { currentRecord.violations[name, default: 0] += 1 }
    }

    /// Judges a request.
    func check(_ arrival: Arrival) -> Verdict {
        lock.withLock {
            currentRecord.requests += 1
            currentRecord.requestsOfConnection[arrival.connection - 1] += 1
            var keyID: String?
            do throws(Refusal) {
                let check = RequestCheck(
                    headers: arrival.headers, bundleID: options.topic,
                    hasCertificate: arrival.hasCertificate)
                try check.checkTarget()
                keyID = try checkToken(of: arrival)
                let topic = try check.checkRest(payload: arrival.payload, size: arrival.size)
                return Verdict(keyID: keyID, result: .success(count(arrival, check, topic: topic)))
            } catch {
                currentRecord.refusals[error.reason, default: 0] += 1
                return Verdict(keyID: keyID, result: .failure(error))
            }
        }
    }

    /// Checks the provider token, and returns its key ID; `nil` if a certificate stands in for it.
    private func checkToken(of arrival: Arrival) throws(Refusal) -> String? {
        guard !arrival.hasCertificate else { return nil }
        let keyID = try tokens.check(arrival.headers.first(name: "authorization"), now: Date())
        guard arrival.keyID == nil || arrival.keyID == keyID else {
            throw Refusal(403, "UnrelatedKeyIdInToken")
        }
        return keyID
    }

    /// Counts a valid request.
    private func count(_ arrival: Arrival, _ check: RequestCheck, topic: String) -> Request {
        let id = arrival.headers.first(name: "apns-id").flatMap(UUID.init) ?? UUID()
        if currentRecord.tallies[id, default: .init()].confirmed > 0 {
            currentRecord.violations["sent-after-200", default: 0] += 1
        }
        currentRecord.tallies[id, default: .init()].requests += 1
        return Request(
            id: id, deviceToken: check.deviceToken, topic: topic, headers: check.fields,
            payload: arrival.payload,
            connection: arrival.connection,
            number: currentRecord.requestsOfConnection[arrival.connection - 1],
            attempt: currentRecord.tallies[id]?.requests ?? 1, date: Date())
    }

    func accept(_ request: Request) {
        lock.withLock {
            currentRecord.accepted += 1
            currentRecord.tallies[request.id, default: .init()].accepted += 1
            if options.keepsPushes { currentRecord.pushes.append(request) }
        }
        onAccept(request)
    }

    func countAnswer(_ id: UUID, accepted: Bool) {
        lock.withLock {
            currentRecord.tallies[id, default: .init()].answered += 1
            if accepted { currentRecord.tallies[id, default: .init()].confirmed += 1 }
        }
    }
}
#endif

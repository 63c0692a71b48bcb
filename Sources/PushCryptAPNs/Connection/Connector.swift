#if APNs
internal import NIOCore
internal import NIOHTTP2
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS

/// Opens connections to a server: TCP, TLS with ALPN, and HTTP/2.
struct Connector {
    private let environment: APNsEnvironment
    private let authentication: APNsAuthentication
    private let loop: any EventLoop
    private let patience: Patience
    /// The trusted certificates and the client's own, which take milliseconds to read.
    private var tls: NIOSSLContext?

    init(
        to environment: APNsEnvironment, _ authentication: APNsAuthentication,
        on loop: any EventLoop,
        _ patience: Patience
    ) {
        self.environment = environment
        self.authentication = authentication
        self.loop = loop
        self.patience = patience
    }

    /// Opens a connection, whose owner hears of its end if that fails.
    mutating func open(for owner: any ConnectionOwner) -> Connection {
        let connection = Connection(owner, on: loop, patience)
        do {
            let tls = try context()
            self.tls = tls
            connect(connection, tls)
        } catch {
            let problem = ConnectionProblem(
                .final, "TLS can't be set up (\(type(of: error)))", fix: "Check the certificates.")
            // The owner doesn't know the connection yet.
            loop.assumeIsolated().execute { connection.end(problem) }
        }
        return connection
    }

    private func context() throws -> NIOSSLContext {
        if let tls { return tls }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = environment.trustRoots
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2"]
        if case .certificate(let chain, let key) = authentication.kind {
            configuration.certificateChain = chain.map { .certificate($0) }
            configuration.privateKey = .privateKey(key)
        }
        return try NIOSSLContext(configuration: configuration)
    }

    private func connect(_ connection: Connection, _ tls: NIOSSLContext) {
        let bound = NIOLoopBound(connection, eventLoop: loop)
        let host = environment.host
        ClientBootstrap(group: loop)
            .connectTimeout(.nanoseconds(patience.connecting))
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    bound.value.started(on: channel)
                    let pipeline = channel.pipeline.syncOperations
                    // An address has no server name. NIOSSL compares it with the certificate's
                    // addresses.
                    let name = (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil
                    try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
                    try pipeline.addHandler(Handshake(bound.value))
                }
            }
            .connect(host: host, port: environment.port)
            .assumeIsolated()
            .whenFailure { connection.end(ConnectionProblem($0)) }
    }
}

/// Waits for TLS, and hands the channel to HTTP/2.
private final class Handshake: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard negotiated == "h2" else { return connection.end(.withoutHTTP2) }
        do {
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandlers([.apns(), connection], position: .after(self))
            pipeline.removeHandler(context: context, promise: nil)
        } catch {
            connection.end(ConnectionProblem(error))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.end(ConnectionProblem(error))
    }

    func channelInactive(context: ChannelHandlerContext) { connection.end(.closed) }
}

extension ChannelHandler where Self == NIOHTTP2Handler {
    /// HTTP/2 for APNs: without pushed streams, and with limits that its ordinary faults don't
    /// reach.
    ///
    /// NIO would close a connection after 200 PINGs or reset streams in 30 seconds. APNs resets all
    /// open streams of a connection when it restarts, and each connection has up to 1,000.
    static func apns() -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 1 << 14),
        ]
        // The client checks its own fields before, and AnswerParts checks those in answers, in a
        // tenth of the time.
        connection.headerBlockValidation = .disabled
        connection.contentLengthValidation = .disabled
        connection.controlFrameRateLimit.maximumCount = 10_000
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = 10_000
        return NIOHTTP2Handler(
            mode: .client, connectionConfiguration: connection, streamConfiguration: stream)
    }
}
#endif

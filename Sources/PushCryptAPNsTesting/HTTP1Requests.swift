#if APNs
internal import NIOCore

/// Counts what arrives over HTTP/1.1, which no client may send.
final class HTTP1Requests: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let server: TestAPNsServer

    init(server: TestAPNsServer) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        server.countViolation("http/1.1")
    }
}
#endif

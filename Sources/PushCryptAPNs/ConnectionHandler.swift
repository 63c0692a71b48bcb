#if APNs
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// The rules of one connection to APNs, between the HTTP/2 handler and the multiplexer.
///
/// - The first request goes alone, until APNs has accepted its provider token
///   (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
/// - A connection that is silent while a request waits is closed, so that the next request gets another one.
/// - New settings wait for the next request: AsyncHTTPClient 1.37 fails an assertion if they arrive on an idle
///   connection. The HTTP/2 handler limits their rate.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The time without a frame after which a given-up request means that the connection is dead.
    private let patience: TimeAmount
    private var lastRead = NIODeadline.now()
    /// The times at which open requests were sent.
    private var open: [HTTP2StreamID: NIODeadline] = [:]
    private var settings: [HTTP2Frame] = []
    private var isTokenAccepted = false
    /// The request that goes alone.
    private var first: (any Channel)?
    /// The requests that wait for its answer, in their order.
    private var waiting: [WaitingRequest] = []
    /// A Boolean value that indicates whether the connection closes when it is idle: after GOAWAY, which the server
    /// needn't do, and after a request that ended before it was sent, which AsyncHTTPClient counts as open.
    private var isEnding = false
    private var lastStream = HTTP2StreamID.rootStream
    /// A Boolean value that indicates whether the connection closes because of an odd status.
    private var isBroken = false

    /// A request that waits, and the gate that holds its frames.
    private struct WaitingRequest {
        let stream: any Channel
        let gate: StreamGate
    }

    init(patience: TimeAmount) { self.patience = patience }

    /// Lets a request go, or holds its frames until it may go.
    func admit(_ stream: any Channel) throws {
        let loop = stream.eventLoop.assumeIsolated()
        stream.closeFuture.assumeIsolated().whenComplete { _ in loop.execute { self.ended(stream) } }
        guard !isTokenAccepted else { return }
        guard first != nil else {
            first = stream
            return
        }
        let gate = StreamGate()
        try stream.pipeline.syncOperations.addHandler(gate, position: .first)
        waiting.append(WaitingRequest(stream: stream, gate: gate))
    }

    private func release() {
        while !waiting.isEmpty, isTokenAccepted || first == nil {
            let next = waiting.removeFirst()
            if !isTokenAccepted { first = next.stream }
            next.gate.open()
        }
    }

    private func ended(_ stream: any Channel) {
        let id = try? stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        isEnding = isEnding || id.map { $0 > lastStream } ?? true
        waiting.removeAll { $0.stream === stream }
        if first === stream { first = nil }
        release()
        if let connection = stream.parent { closeIfIdle(connection) }
    }

    private func closeIfIdle(_ connection: any Channel) {
        let isIdle = open.isEmpty && waiting.isEmpty && first == nil
        if isEnding, isIdle { connection.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // AsyncHTTPClient crashes at a body without its status.
        guard !isBroken else { return }
        lastRead = .now()
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .settings(.settings) where open.isEmpty:
            settings.append(frame)
            return
        case .headers(let answer):
            guard let value = answer.headers.first(name: ":status") else { break }
            // Other values can crash NIO, or have a second meaning.
            guard value.utf8.count == 3, let status = UInt16(value), (100...599).contains(status), status != 101 else {
                isBroken = true
                context.close(promise: nil)
                return
            }
            if status >= 200, status != 403 {
                isTokenAccepted = true
                // NIO would report the end of this stream before its answer if others were written now.
                context.eventLoop.assumeIsolated().execute { self.release() }
            }
        case .goAway:
            isEnding = true
            context.eventLoop.assumeIsolated().execute { self.closeIfIdle(context.channel) }
        default: break
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if let created = event as? NIOHTTP2StreamCreatedEvent {
            open[created.streamID] = .now()
            lastStream = max(lastStream, created.streamID)
            let held = settings
            settings = []
            for frame in held { context.fireChannelRead(wrapInboundOut(frame)) }
            // Without this, the multiplexer waits for more frames before it sends.
            if !held.isEmpty { context.fireChannelReadComplete() }
        } else if let closed = event as? StreamClosedEvent {
            open[closed.streamID] = nil
            closeIfIdle(context.channel)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        let start = open[frame.streamID]
        context.write(data, promise: promise)
        guard case .rstStream = frame.payload, let start, .now() - max(start, lastRead) >= patience else { return }
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        if !(error is NIOHTTP2Errors.StreamError) { context.close(promise: nil) }
    }

    /// Closes after this event: AsyncHTTPClient closes before it passes on the last answer of a connection.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.eventLoop.assumeIsolated().execute { context.close(mode: mode, promise: promise) }
    }
}
#endif

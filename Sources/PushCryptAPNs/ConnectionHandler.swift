#if APNs
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// The rules of one connection to APNs, between the HTTP/2 handler and the multiplexer.
///
/// - The first request goes alone, until APNs has accepted its provider token
///   (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
/// - A connection that is silent while a request waits is closed, so that the next request gets another one.
/// - New settings wait for the next request: AsyncHTTPClient 1.37 fails an assertion if they arrive on an idle connection.
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
    /// The request that goes alone, and those behind it.
    private var first: (any Channel)?
    private var waiting: [(stream: any Channel, promise: EventLoopPromise<Void>)] = []
    /// A Boolean value that indicates whether a request ended while it waited, which AsyncHTTPClient counts as open.
    private var hasLeak = false

    init(patience: TimeAmount) { self.patience = patience }

    /// Returns a future that succeeds when a request may be sent.
    func admission(of stream: any Channel) -> EventLoopFuture<Void> {
        let promise = stream.eventLoop.makePromise(of: Void.self)
        waiting.append((stream, promise))
        stream.closeFuture.assumeIsolated().whenComplete { _ in self.ended(stream) }
        admit()
        return promise.futureResult
    }

    private func admit() {
        while !waiting.isEmpty, isTokenAccepted || first == nil {
            let next = waiting.removeFirst()
            if !isTokenAccepted { first = next.stream }
            next.promise.succeed()
        }
    }

    private func ended(_ stream: any Channel) {
        if let index = waiting.firstIndex(where: { $0.stream === stream }) {
            hasLeak = true
            waiting.remove(at: index).promise.fail(ChannelError.alreadyClosed)
        }
        if first === stream { first = nil }
        admit()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastRead = .now()
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .settings(.settings) where open.isEmpty:
            settings.append(frame)
            return
        case .headers(let answer) where answer.headers.first(name: ":status").map { $0 != "403" } ?? false:
            isTokenAccepted = true
            admit()
        default: break
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if let created = event as? NIOHTTP2StreamCreatedEvent {
            open[created.streamID] = .now()
            let held = settings
            settings = []
            for frame in held { context.fireChannelRead(wrapInboundOut(frame)) }
            // Without this, the multiplexer waits for more frames before it sends.
            if !held.isEmpty { context.fireChannelReadComplete() }
        } else if let closed = event as? StreamClosedEvent {
            open[closed.streamID] = nil
            if hasLeak, open.isEmpty { context.close(promise: nil) }
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        let start = open[frame.streamID]
        context.write(data, promise: promise)
        guard case .rstStream = frame.payload, let start, .now() - max(start, lastRead) >= patience else { return }
        context.close(promise: nil)
    }
}
#endif

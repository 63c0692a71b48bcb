#if APNs
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// The owner of connections, on their event loop.
protocol ConnectionOwner: AnyObject {
    /// A request has ended.
    func ended(_ request: PushRequest, _ fate: Fate)
    /// A connection may take more requests.
    func changed(_ connection: Connection)
    /// A connection has ended, and its requests before it.
    func ended(_ connection: Connection, _ problem: ConnectionProblem)
}

/// A connection to APNs: the streams of HTTP/2, without a channel for each.
///
/// `NIOHTTP2Handler` checks and encodes the frames. This handler comes after it, numbers the
/// streams, and knows the fate of each request. It belongs to one event loop.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// A request on a stream, and the parts of its answer.
    struct Exchange {
        let request: PushRequest
        /// The tick of its start.
        let start: Int
        var parts = AnswerParts()
    }

    var state: ConnectionState
    /// A Boolean value that indicates whether APNs has answered a request on this connection.
    var hasAnswered = false
    /// The owner; `nil` after the release of a client that wasn't shut down.
    private(set) weak var owner: (any ConnectionOwner)?
    let loop: any EventLoop
    let patience: Patience
    var context: ChannelHandlerContext?
    /// The channel, once it exists.
    private(set) var channel: (any Channel)?
    var liveness = Liveness()
    var exchanges: [Int: Exchange] = [:]
    /// The streams that the server has ended, and whose other half isn't known to be closed.
    var halfClosed: [Int] = []
    /// The bytes of bodies that no WINDOW_UPDATE has given back.
    var consumed = 0
    private var lastRead = NIODeadline.now()
    /// A Boolean value that indicates whether frames of the server are being read, which prove that
    /// it lives.
    private var isReading = false
    var ticking: Scheduled<Void>?
    /// The time limit of what the server must do before it gets a request.
    var limit: Scheduled<Void>?

    init(
        _ owner: any ConnectionOwner, on loop: any EventLoop, _ patience: Patience,
        state: ConnectionState = .init()
    ) {
        self.owner = owner
        self.loop = loop
        self.patience = patience
        self.state = state
        waitFor(.slow, nanoseconds: patience.connecting)
    }

    /// The number of requests that the connection takes now.
    var room: Int {
        guard let context, context.channel.isWritable,
            !liveness.isWaitingForPing || !exchanges.isEmpty
        else {
            return 0
        }
        return state.room
    }

    /// Sends PING if the connection was silent for long, so that a dead one gets no request.
    ///
    /// - Returns: A Boolean value that indicates whether the answer is still missing.
    func checkIdle() -> Bool {
        guard exchanges.isEmpty, !isReading, state.room > 0, let context else { return false }
        if liveness.isWaitingForPing { return true }
        guard NIODeadline.now() - lastRead > .nanoseconds(patience.idle) else { return false }
        liveness.pinged()
        ping(context)
        startTicking()
        return true
    }

    // MARK: Requests

    /// Writes a request, unless the connection takes none now.
    ///
    /// - Returns: A Boolean value that indicates whether the request was written. ``flush()`` sends
    ///   it.
    func take(_ request: PushRequest, fields: HPACKHeaders, payload: [UInt8]) -> Bool {
        guard room > 0, let stream = state.openStream(), let context else { return false }
        if exchanges.isEmpty { liveness.restart() }
        exchanges[stream] = Exchange(request: request, start: liveness.tick)
        request.connection = self
        request.stream = stream
        startTicking()
        write(.headers(.init(headers: fields, endStream: payload.isEmpty)), on: stream, context)
        if !payload.isEmpty, exchanges[stream] != nil {
            let data = IOData.byteBuffer(context.channel.allocator.buffer(bytes: payload))
            write(.data(.init(data: data, endStream: true)), on: stream, context)
        }
        return true
    }

    func flush() { context?.flush() }

    /// Resets a request, whose fate the caller knows.
    func cancel(_ request: PushRequest) {
        guard exchanges.removeValue(forKey: request.stream)?.request === request, let context else {
            return
        }
        request.connection = nil
        write(.rstStream(.cancel), on: request.stream, context)
        context.flush()
        closeIfDrained()
    }

    func write(_ payload: HTTP2Frame.FramePayload, on stream: Int, _ context: ChannelHandlerContext)
    {
        context.write(
            wrapOutboundOut(HTTP2Frame(streamID: HTTP2StreamID(stream), payload: payload)),
            promise: nil)
    }

    func ping(_ context: ChannelHandlerContext) {
        write(.ping(HTTP2PingData(withInteger: 0x7075_7368), ack: false), on: 0, context)
        context.flush()
    }

    // MARK: The pipeline

    /// TCP connects, and TLS follows.
    func started(on channel: any Channel) {
        guard state.phase != .closed else { return channel.close(promise: nil) }
        self.channel = channel
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        state.connected()
        if state.phase == .closed { context.close(promise: nil) } else { waitFor(.withoutSettings) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end(.closed)
    }

    func channelInactive(context: ChannelHandlerContext) { end(.closed) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(ConnectionProblem(error))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { owner?.changed(self) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state.phase != .closed else { return }
        let frame = unwrapInboundIn(data)
        let stream = Int(frame.streamID)
        liveness.heard()
        switch frame.payload {
        case .settings(.settings(let settings)): received(settings)
        case .headers(let part): received(part, on: stream)
        case .data(let part): received(part, on: stream, context)
        case .rstStream(let code): wasReset(stream, code)
        case .goAway(let last, _, _): receivedGoAway(last: Int(last))
        case .ping(_, ack: true): liveness.heardPing()
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard state.phase != .closed else { return }
        lastRead = .now()
        isReading = true
        defer { isReading = false }
        resetHalfClosed(context)
        if consumed >= 1 << 14 {
            write(.windowUpdate(windowSizeIncrement: consumed), on: 0, context)
            consumed = 0
            context.flush()
        }
        if !closeIfDrained() { owner?.changed(self) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let closed = event as? StreamClosedEvent, state.phase != .closed else { return }
        state.closedStream()
        let stream = Int(closed.streamID)
        if halfClosed.last == stream {
            halfClosed.removeLast()
        } else {
            halfClosed.removeAll { $0 == stream }
        }
        // NIO has reset the stream itself.
        wasReset(stream, closed.reason ?? .noError)
    }

    // MARK: The end

    /// Ends a request.
    func end(_ stream: Int, _ fate: Fate) {
        guard let exchange = exchanges.removeValue(forKey: stream) else { return }
        exchange.request.connection = nil
        owner?.ended(exchange.request, fate)
    }

    /// Closes a connection that has nothing left to do.
    @discardableResult func closeIfDrained() -> Bool {
        guard state.phase == .draining, exchanges.isEmpty else { return false }
        end(.goAway)
        return true
    }

    /// Ends the connection: requests with a status are answered, and the others unknown.
    func end(_ problem: ConnectionProblem) {
        guard state.phase != .closed else { return }
        state.close()
        limit?.cancel()
        ticking?.cancel()
        let open = exchanges.sorted { $0.key < $1.key }
        exchanges = [:]
        for (_, exchange) in open {
            exchange.request.connection = nil
            owner?.ended(
                exchange.request, exchange.parts.answer.map { .answered($0) } ?? .unknown(problem))
        }
        owner?.ended(self, problem)
        channel?.close(promise: nil)
    }
}
#endif

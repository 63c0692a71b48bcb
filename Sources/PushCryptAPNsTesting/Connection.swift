#if APNs
internal import Foundation
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// A connection of a client, as HTTP/2 frames.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// A request of which a part has arrived, or whose answer isn't complete.
    struct Stream {
        let headers: HPACKHeaders
        var payload: [UInt8] = []
        var size = 0
    }

    enum Phase { case open, leaving, closing, silent }

    let server: TestAPNsServer
    let writer: FrameWriter
    private let cutter: Cutter
    let opening: [Step]?
    private let hasCertificate: Bool
    private let number: Int
    private(set) var context: ChannelHandlerContext?
    var phase = Phase.open
    var streams: [HTTP2StreamID: Stream] = [:]
    private var keyID: String?
    /// The last stream that was accepted or answered, which GOAWAY must not exclude.
    var lastHandled = HTTP2StreamID.rootStream
    /// The last stream of which GOAWAY allows an answer.
    var lastStream = HTTP2StreamID.maxID
    /// The highest stream of the client.
    private(set) var highestStream = HTTP2StreamID.rootStream
    /// A Boolean value that indicates whether the client knows that it mustn't open streams any
    /// more.
    var isEndAnnounced = false
    /// The requests that wait for a GOAWAY, which decides about them.
    var held: [Exchange] = []
    /// What follows when the client has answered a PING, by the PING's number.
    var roundTrips: [UInt64: () -> Void] = [:]
    var roundTripCount: UInt32 = 0
    /// The bytes of requests since the connection's window grew.
    private var received = 0

    init(
        server: TestAPNsServer, writer: FrameWriter, cutter: Cutter, opening: [Step]?,
        hasCertificate: Bool
    ) {
        self.server = server
        self.writer = writer
        self.cutter = cutter
        self.opening = opening
        self.hasCertificate = hasCertificate
        number = server.countConnection()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if let opening { run(opening[...], for: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .ping(let data, ack: true): roundTrips.removeValue(forKey: data.integer)?()
        case _ where phase == .closing || phase == .silent: break
        case .headers(let part): receive(part, on: frame.streamID, context)
        case .data(let part): receive(part, on: frame.streamID, context)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let closed = event as? StreamClosedEvent else { return }
        streams[closed.streamID] = nil
        if phase == .leaving, streams.isEmpty { close(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Answers and the end of the connection may cross.
        if error is any NIOHTTP2Error, !(error is NIOHTTP2Errors.IOOnClosedConnection) {
            server.countViolation("\(type(of: error))")
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        streams = [:]
        held = []
        roundTrips = [:]
        server.countEnd()
    }

    private func receive(
        _ part: HTTP2Frame.FramePayload.Headers, on id: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        if streams[id] == nil {
            if id > highestStream, isEndAnnounced { server.countViolation("stream-after-goaway") }
            highestStream = max(highestStream, id)
            guard id <= lastStream else { return }
            guard streams.count < writer.allowedStreams else {
                server.countViolation("concurrent-stream")
                return write(.rstStream(.refusedStream), on: id, context)
            }
            streams[id] = Stream(headers: part.headers)
            if let size = server.options.streamWindow, !part.endStream {
                growWindow(of: id, by: size)
            }
        }
        if part.endStream { receiveEnd(of: id, context) }
    }

    private func receive(
        _ part: HTTP2Frame.FramePayload.Data, on id: HTTP2StreamID, _ context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(let bytes) = part.data else { return }
        let size = bytes.readableBytes + (part.paddingBytes.map { $0 + 1 } ?? 0)
        received += size
        if received >= server.options.connectionWindow {
            write(.windowUpdate(windowSizeIncrement: received), on: .rootStream, context)
            received = 0
        }
        if let size = server.options.streamWindow, !part.endStream { growWindow(of: id, by: size) }
        guard var stream = streams[id] else { return }
        stream.size += bytes.readableBytes
        if stream.size <= 5120 {
            streams[id] = nil
            stream.payload += bytes.readableBytesView
        } else if size > 0, !part.endStream {
            write(.windowUpdate(windowSizeIncrement: size), on: id, context)
        }
        streams[id] = stream
        if part.endStream { receiveEnd(of: id, context) }
    }

    private func receiveEnd(of id: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard let stream = streams[id] else { return }
        let verdict = server.check(
            .init(
                headers: stream.headers, payload: stream.payload, size: stream.size,
                connection: number, keyID: keyID,
                hasCertificate: hasCertificate))
        keyID = keyID ?? verdict.keyID
        streams[id]?.payload = []
        let exchange = Exchange(
            context: context, stream: id, id: stream.headers.first(name: "apns-id"),
            isTrusted: verdict.keyID != nil)
        switch verdict.result {
        case .failure(let refusal): answer(.answer(refusal.status, refusal.reason), exchange)
        case .success(let request):
            exchange.request = request
            react(server.script(request), to: exchange)
        }
    }

    private func react(_ behavior: Behavior, to exchange: Exchange) {
        let context = exchange.context
        let id = exchange.stream
        switch behavior {
        case .accept, .acceptThenGoAway, .acceptThenLinger:
            accept(exchange)
            answer(behavior, exchange)
            if case .acceptThenGoAway = behavior { goAway(after: id, context) }
            if case .acceptThenLinger = behavior { linger(context) }
        case .answer: answer(behavior, exchange)
        case .goAway(let accepted):
            if accepted { accept(exchange) }
            goAway(after: id, context)
            close(context)
        case .refuseWithGoAway:
            goAway(after: HTTP2StreamID(max(0, Int(id) - 2)), context)
            if lastHandled > id { write(.rstStream(.refusedStream), on: id, context) }
        case .refuse: write(.rstStream(.refusedStream), on: id, context)
        case .reset(let accepted):
            if accepted { accept(exchange) }
            write(.rstStream(.internalError), on: id, context)
        case .stall(let accepted): if accepted { accept(exchange) }
        case .hold: held.append(exchange)
        case .goAwayInTheMiddle: goAwayInTheMiddle(exchange)
        case .goAwayInTwoPhases:
            accept(exchange)
            answer(behavior, exchange)
            leave()
        case .steps(let steps): run(steps[...], for: exchange)
        case .silence(let accepted):
            if accepted { accept(exchange) }
            phase = .silent
            context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
        case .close(let accepted):
            if accepted { accept(exchange) }
            close(context)
        }
        context.flush()
    }

    func accept(_ exchange: Exchange) {
        lastHandled = max(lastHandled, exchange.stream)
        exchange.isAccepted = true
        exchange.request.map(server.accept)
    }

    /// Ends the connection in another way than APNs.
    func end(_ ending: Ending) {
        phase = .silent
        cutter.end(ending)
    }

    /// Lets the window of a stream grow, which NIO believes to be large.
    private func growWindow(of id: HTTP2StreamID, by size: UInt32) {
        writer.write([.windowUpdate(size, on: .number(Int(id)))])
    }

    func write(
        _ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID, _ context: ChannelHandlerContext
    ) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
    }
}
#endif

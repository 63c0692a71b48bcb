#if APNs
internal import Foundation
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// A complete request and the frames of its answer.
final class Exchange {
    let context: ChannelHandlerContext
    let stream: HTTP2StreamID
    /// The value of `apns-id`, even if it isn't valid.
    let id: String?
    /// A Boolean value that indicates whether the provider token is valid.
    let isTrusted: Bool
    var request: Request?
    var isAccepted = false
    fileprivate var frames: ArraySlice<HTTP2Frame.FramePayload> = []

    init(context: ChannelHandlerContext, stream: HTTP2StreamID, id: String?, isTrusted: Bool) {
        self.context = context
        self.stream = stream
        self.id = id
        self.isTrusted = isTrusted
    }
}

extension Connection {
    /// Answers as a behavior says, at once or later.
    func answer(_ behavior: Behavior, _ exchange: Exchange) {
        var status = 200
        var fields = ["apns-id": exchange.id ?? (exchange.request?.id ?? UUID()).uuidString]
        var body: [String] = []
        var delay = 0.0
        var isInPieces = false
        switch behavior {
        case .answer(let code, let reason, let headers, let timestamp, let after, let inPieces):
            status = code
            delay = after
            isInPieces = inPieces
            fields.merge(headers) { $1 }
            let text =
                #"{"reason":"\#(reason)"\#(timestamp.map { #","timestamp":\#($0)"# } ?? "")}"#
            body = isInPieces ? text.map { "\($0)" } : [text]
            if reason == "ExpiredProviderToken", exchange.request != nil { server.expireTokens() }
        case .accept(let after, let inPieces):
            delay = after
            isInPieces = inPieces
            fallthrough
        default:
            fields["apns-unique-id"] = UUID().uuidString
            body = isInPieces ? [""] : []
        }
        var head = HPACKHeaders([(":status", "\(status)")])
        // Ids never occur again, so they would only slow down the table of headers.
        for (name, value) in fields { head.add(name: name, value: value, indexing: .nonIndexable) }
        exchange.frames = [.headers(.init(headers: head, endStream: body.isEmpty))]
        for (index, text) in body.enumerated() {
            let bytes = IOData.byteBuffer(ByteBuffer(string: text))
            exchange.frames.append(.data(.init(data: bytes, endStream: index == body.count - 1)))
        }
        lastHandled = max(lastHandled, exchange.stream)
        if delay > 0 {
            later(delay, on: exchange) { self.send(exchange, inPieces: isInPieces) }
        } else {
            send(exchange, inPieces: isInPieces)
        }
    }

    /// Sends all frames, or one and the others later.
    private func send(_ exchange: Exchange, inPieces: Bool) {
        while streams[exchange.stream] != nil, phase == .open || phase == .leaving,
            let payload = exchange.frames.popFirst()
        {
            if exchange.frames.isEmpty {
                sendLast(payload, of: exchange)
                if exchange.isTrusted { raiseLimit(exchange.context) }
                break
            }
            write(payload, on: exchange.stream, exchange.context)
            guard !inPieces else {
                return later(0.01, on: exchange) { self.send(exchange, inPieces: true) }
            }
        }
        exchange.context.flush()
    }

    /// Sends the last frame of an answer, and counts the answer when the frame is written.
    private func sendLast(_ payload: HTTP2Frame.FramePayload, of exchange: Exchange) {
        let promise = exchange.context.eventLoop.makePromise(of: Void.self)
        if let id = exchange.request?.id {
            promise.futureResult.whenSuccess { [server, isAccepted = exchange.isAccepted] in
                server.countAnswer(id, accepted: isAccepted)
            }
        }
        let frame = HTTP2Frame(streamID: exchange.stream, payload: payload)
        exchange.context.write(wrapOutboundOut(frame), promise: promise)
    }

    private func raiseLimit(_ context: ChannelHandlerContext) {
        guard opening == nil, writer.limit < server.options.concurrentStreams else { return }
        writer.limit = server.options.concurrentStreams
        for _ in 0..<server.options.settingsFrames {
            write(.settings(.settings([.unlimitedStreams])), on: .rootStream, context)
        }
    }

    private func later(_ seconds: Double, on exchange: Exchange, _ action: @escaping () -> Void) {
        let delay = TimeAmount.nanoseconds(Int64(seconds * 1e9))
        exchange.context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
            action()
            exchange.context.flush()
        }
    }
}

extension HTTP2Setting {
    /// The setting whose value `FrameWriter` replaces.
    static let unlimitedStreams = HTTP2Setting(
        parameter: .maxConcurrentStreams, value: Int(Int32.max))
}
#endif

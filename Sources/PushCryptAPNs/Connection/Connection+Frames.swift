#if APNs
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// The frames of the server.
extension Connection {
    func received(_ settings: HTTP2Settings) {
        let limit = settings.last { $0.parameter == .maxConcurrentStreams }
        state.receivedSettings(streamLimit: limit.map(\.value))
        if state.streamLimit > 0 {
            self.limit?.cancel()
            self.limit = nil
        } else {
            waitFor(.withoutStreams)
        }
    }

    func received(_ part: HTTP2Frame.FramePayload.Headers, on stream: Int) {
        guard exchanges[stream] != nil else { return }
        guard exchanges[stream]?.parts.add(part.headers) == true else { return end(.oddFields) }
        if let status = exchanges[stream]?.parts.status {
            hasAnswered = true
            state.received(status: status)
        }
        if part.endStream { finish(stream) }
    }

    func received(
        _ part: HTTP2Frame.FramePayload.Data, on stream: Int, _ context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(let bytes) = part.data else { return }
        consumed += bytes.readableBytes + (part.paddingBytes.map { $0 + 1 } ?? 0)
        guard exchanges[stream] != nil else { return }
        let fits = exchanges[stream]?.parts.add(bytes) == true
        if !fits { write(.rstStream(.cancel), on: stream, context) }
        if part.endStream || !fits { finish(stream) }
    }

    /// The server has ended the answer.
    private func finish(_ stream: Int) {
        halfClosed.append(stream)
        let answer = exchanges[stream]?.parts.answer
        end(stream, answer.map { .answered($0) } ?? .unknown(.closed))
    }

    func wasReset(_ stream: Int, _ code: HTTP2ErrorCode) {
        guard let exchange = exchanges[stream] else { return }
        let problem = ConnectionProblem(reset: code)
        if let answer = exchange.parts.answer {
            end(stream, .answered(answer))
        } else {
            end(stream, code == .refusedStream ? .unprocessed(problem) : .unknown(problem))
        }
    }

    func receivedGoAway(last: Int) {
        state.receivedGoAway()
        // The newest first, because each goes back to the head of the queue.
        for stream in exchanges.keys.filter({ $0 > last }).sorted(by: >) {
            end(stream, .unprocessed(.goAway))
        }
    }

    /// Ends the client's half of streams that the server has answered early.
    func resetHalfClosed(_ context: ChannelHandlerContext) {
        guard !halfClosed.isEmpty else { return }
        for stream in halfClosed { write(.rstStream(.cancel), on: stream, context) }
        halfClosed = []
        context.flush()
    }
}
#endif

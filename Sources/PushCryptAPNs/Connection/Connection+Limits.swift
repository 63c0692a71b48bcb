#if APNs
internal import NIOCore
internal import NIOHTTP2

/// The time limits of a connection.
extension Connection {
    /// Ends the connection with a problem unless the server acts in time.
    func waitFor(_ problem: ConnectionProblem, nanoseconds: Int64? = nil) {
        limit?.cancel()
        let time = TimeAmount.nanoseconds(nanoseconds ?? patience.connecting)
        limit = loop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.end(problem) }
    }

    func startTicking() {
        guard ticking == nil else { return }
        ticking = loop.assumeIsolated().scheduleTask(in: .nanoseconds(patience.tick)) {
            [weak self] in self?.tick()
        }
    }

    private func tick() {
        ticking = nil
        guard let context, state.phase != .closed else { return }
        let step = liveness.advance(isWaiting: !exchanges.isEmpty)
        if step == .close { return end(.silent) }
        if step == .ping { ping(context) }
        endLate(context)
        if !exchanges.isEmpty || liveness.isWaitingForPing { startTicking() }
        if !closeIfDrained() { owner?.changed(self) }
    }

    /// Resets the requests that have taken their time.
    private func endLate(_ context: ChannelHandlerContext) {
        let late = exchanges.filter { liveness.tick - $0.value.start >= patience.ticksOfRequest }
        for (stream, exchange) in late.sorted(by: { $0.key < $1.key }) {
            write(.rstStream(.cancel), on: stream, context)
            end(stream, exchange.parts.answer.map { .answered($0) } ?? .unknown(.late))
        }
        if !late.isEmpty { context.flush() }
    }
}
#endif

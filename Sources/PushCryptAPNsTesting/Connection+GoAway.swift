#if APNs
internal import Foundation
internal import NIOCore
internal import NIOHTTP2

/// The ends of a connection that GOAWAY announces.
extension Connection {
    /// Announces the end of the connection; the streams up to the given one are still answered,
    /// later ones ignored.
    func goAway(after id: HTTP2StreamID, _ context: ChannelHandlerContext) {
        phase = .leaving
        lastStream = max(id, lastHandled)
        streams = streams.filter { $0.key <= lastStream }
        writer.write([.goAway(last: .number(Int(lastStream)))])
        if streams.isEmpty { close(context) }
    }

    /// Announces the end of the connection with the highest number first, and ends it after the
    /// requests that cross.
    func leave() {
        guard phase == .open else { return }
        writer.write([.goAway(last: .number(Int(HTTP2StreamID.maxID)))])
        roundTrip { [self] in
            isEndAnnounced = true
            if phase == .open, let context { goAway(after: highestStream, context) }
        }
    }

    /// Announces the end of the connection, and answers the first half of the requests that are
    /// held.
    func goAwayInTheMiddle(_ exchange: Exchange) {
        let exchanges = (held + [exchange]).sorted { $0.stream < $1.stream }
        held = []
        goAway(after: exchanges[exchanges.count / 2].stream, exchange.context)
        for exchange in exchanges where exchange.stream <= lastStream {
            accept(exchange)
            answer(.accept(), exchange)
        }
    }

    func linger(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(100)) {
            [writer, lastHandled] in
            writer.write([.goAway(last: .number(Int(lastHandled)), reason: "")])
        }
    }

    /// Closes the connection as soon as the client has read every earlier answer, which its answer
    /// to PING proves.
    func close(_ context: ChannelHandlerContext) {
        guard phase != .closing else { return }
        phase = .closing
        context.flush()
        roundTrip { context.close(promise: nil) }
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(5)) {
            context.close(promise: nil)
        }
    }

    /// Does something when the client has read everything before, which its answer to PING proves.
    func roundTrip(_ action: @escaping () -> Void) {
        roundTripCount += 1
        roundTrips[UInt64(roundTripCount)] = action
        writer.write([.ping(roundTripCount)])
    }
}
#endif

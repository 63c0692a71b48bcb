#if APNs
internal import NIOCore

/// The end of a connection after a number of bytes.
package struct Interruption: Sendable {
    package enum Direction: String, Sendable {
        /// What the server has read, of which it sees nothing more.
        case read
        /// What the server has written.
        case written
    }

    /// The number of bytes that get through.
    package var bytes: Int
    package var direction: Direction
    package var ending: Ending
    /// A Boolean value that indicates whether the bytes of TLS count instead of those in it.
    package var isBelowTLS = false
    /// The number of first connections that are interrupted.
    package var connections = 1

    package init(after bytes: Int, _ direction: Direction, _ ending: Ending) {
        self.bytes = bytes
        self.direction = direction
        self.ending = ending
    }
}

/// Lets a number of bytes through, and ends the connection.
final class Interrupter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let interruption: Interruption
    private let cutter: Cutter
    private var rest: Int
    private var isOver = false

    init(_ interruption: Interruption, cutter: Cutter) {
        self.interruption = interruption
        self.cutter = cutter
        rest = interruption.bytes
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if rest == 0 { end(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        guard interruption.direction == .read else { return context.fireChannelRead(data) }
        let start = take(from: unwrapInboundIn(data))
        if start.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(start)) }
        if rest == 0 { end(context) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        guard interruption.direction == .written else {
            return context.write(data, promise: promise)
        }
        let bytes = unwrapOutboundIn(data)
        let start = take(from: bytes)
        if start.readableBytes == bytes.readableBytes {
            context.write(wrapOutboundOut(start), promise: promise)
        } else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            context.write(wrapOutboundOut(start), promise: nil)
        }
        if rest == 0 { end(context) }
    }

    private func take(from bytes: ByteBuffer) -> ByteBuffer {
        let start =
            bytes.getSlice(at: bytes.readerIndex, length: min(rest, bytes.readableBytes)) ?? bytes
        rest -= start.readableBytes
        return start
    }

    private func end(_ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        // After this event, because handlers above are in the middle of it.
        context.eventLoop.assumeIsolated().execute { [cutter, interruption] in
            context.flush()
            cutter.end(interruption.ending)
        }
    }
}
#endif

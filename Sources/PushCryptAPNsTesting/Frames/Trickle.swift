#if APNs
internal import NIOCore

/// Writes everything in pieces, each in a TCP segment and a record of TLS of its own.
final class Trickle: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let size: Int
    private var waiting: CircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)> = []
    private var isWriting = false

    /// Creates a handler for pieces of a number of bytes.
    init(size: Int) { self.size = max(1, size) }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting.append((unwrapOutboundIn(data), promise))
    }

    func flush(context: ChannelHandlerContext) {
        guard !isWriting else { return }
        isWriting = true
        writePiece(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
        waiting = []
    }

    private func writePiece(_ context: ChannelHandlerContext) {
        guard var (bytes, promise) = waiting.popFirst() else {
            isWriting = false
            return
        }
        let piece = bytes.readSlice(length: min(size, bytes.readableBytes)) ?? ByteBuffer()
        if bytes.readableBytes > 0 {
            waiting.prepend((bytes, promise))
            promise = nil
        }
        context.writeAndFlush(wrapOutboundOut(piece), promise: promise)
        context.eventLoop.assumeIsolated().execute { self.writePiece(context) }
    }
}
#endif

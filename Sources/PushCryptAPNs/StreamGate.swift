#if APNs
internal import NIOCore
internal import NIOHTTP2

/// Holds the frames of a request until the connection lets it go.
final class StreamGate: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private var context: ChannelHandlerContext?
    private var isOpen = false
    private var held: [HeldWrite] = []

    /// A frame that waits, and the promise of its write.
    private struct HeldWrite {
        let data: NIOAny
        let promise: EventLoopPromise<Void>?
    }

    func open() {
        isOpen = true
        guard let context else { return }
        for write in held { context.write(write.data, promise: write.promise) }
        held = []
        context.flush()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for write in held { write.promise?.fail(ChannelError.alreadyClosed) }
        held = []
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isOpen {
            context.write(data, promise: promise)
        } else {
            held.append(HeldWrite(data: data, promise: promise))
        }
    }

    func flush(context: ChannelHandlerContext) {
        if isOpen { context.flush() }
    }
}
#endif

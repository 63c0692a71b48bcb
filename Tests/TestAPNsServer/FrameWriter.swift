#if APNs
internal import NIOCore

/// Writes what NIO must not know: it would close the connections of clients that APNs bears with.
///
/// NIO knows a limit of streams that is never reached, and no GOAWAY.
final class FrameWriter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The limit of concurrent streams in each SETTINGS frame.
    var limit: UInt32
    /// A Boolean value that indicates whether the connection never gets a frame.
    private let isMute: Bool

    init(limit: UInt32, isMute: Bool) {
        (self.limit, self.isMute) = (limit, isMute)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isMute else {
            promise?.succeed()
            return
        }
        var frame = unwrapOutboundIn(data)
        let start = frame.readerIndex
        // Length, type 4, no flags; then an identifier of 2 bytes and a value of 4 bytes per setting.
        if frame.getInteger(at: start + 3, as: UInt16.self) == 0x0400 {
            for setting in stride(from: start + 9, to: frame.writerIndex, by: 6)
            where frame.getInteger(at: setting, as: UInt16.self) == 3 {
                frame.setInteger(limit, at: setting + 2)
            }
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    /// Writes GOAWAY without an error code.
    func writeGoAway(last stream: Int, reason: String, to channel: any Channel) {
        var frame = ByteBuffer()
        frame.writeInteger(UInt32(8 + reason.utf8.count) << 8 | 7)
        frame.writeInteger(UInt8(0))
        frame.writeInteger(UInt32(0))
        frame.writeInteger(UInt32(stream))
        frame.writeInteger(UInt32(0))
        frame.writeString(reason)
        if let context = try? channel.pipeline.syncOperations.context(handler: self) {
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        }
    }
}
#endif

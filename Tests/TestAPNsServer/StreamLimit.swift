#if APNs
internal import NIOCore

/// Writes the limit of concurrent streams into each SETTINGS frame.
///
/// NIO itself knows a limit that is never reached: it would close the connection instead of refusing a stream.
final class StreamLimit: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    var value: UInt32

    init(_ value: UInt32) {
        self.value = value
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var frame = unwrapOutboundIn(data)
        let start = frame.readerIndex
        // Length, type 4, no flags; then an identifier of 2 bytes and a value of 4 bytes per setting.
        if frame.getInteger(at: start + 3, as: UInt16.self) == 0x0400 {
            for setting in stride(from: start + 9, to: frame.writerIndex, by: 6)
            where frame.getInteger(at: setting, as: UInt16.self) == 3 {
                frame.setInteger(value, at: setting + 2)
            }
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }
}
#endif

#if APNs
internal import NIOCore

#if canImport(Darwin)
internal import Darwin
#else
// Both modules have the C structure of lingering. The compiler counts it to the one that it loads
// first.
internal import CNIOLinux
internal import Glibc
#endif

/// Ends a connection below TLS.
final class Cutter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var context: ChannelHandlerContext?
    private var isSilent = false

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isSilent { context.fireChannelRead(data) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isSilent {
            promise?.fail(ChannelError.ioOnClosedChannel)
        } else {
            context.write(data, promise: promise)
        }
    }

    /// Ends the connection.
    func end(_ ending: Ending) {
        guard let context, !isSilent else { return }
        switch ending {
        case .farewell: context.channel.close(promise: nil)
        case .cut: context.close(promise: nil)
        case .reset:
            if let socket = context.channel as? any SocketOptionProvider {
                // The loop sets the option at once, because this is its thread.
                socket.setSoLinger(NIOLinger(l_onoff: 1, l_linger: 0)).whenFailure { _ in }
            }
            context.close(promise: nil)
        case .silence: isSilent = true
        }
    }
}
#endif

#if APNs
internal import NIOCore

/// Writes what NIO must not know: it would close the connections of clients that APNs bears with.
///
/// NIO knows a limit of streams that is never reached, no GOAWAY, and no ``RawFrame``.
final class FrameWriter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The limit of concurrent streams in each SETTINGS frame of NIO.
    var limit: UInt32
    /// A Boolean value that indicates whether the connection never gets another frame.
    var isMute: Bool
    /// A Boolean value that indicates whether other settings are written instead of NIO's first
    /// ones.
    private let replacesSettings: Bool
    /// The frames that NIO writes before these settings.
    private var waiting: [WaitingFrame]?
    private var context: ChannelHandlerContext?
    /// The settings that the client hasn't acknowledged.
    private var sent: [SentSettings] = []
    private var acknowledgedLimit: UInt32

    private struct WaitingFrame {
        let frame: ByteBuffer
        let promise: EventLoopPromise<Void>?
    }

    private struct SentSettings {
        /// The limit of concurrent streams; `nil` if the settings have none.
        let limit: UInt32?
        let isKnownToNIO: Bool
    }

    init(limit: UInt32, isMute: Bool, replacesSettings: Bool) {
        self.limit = limit
        self.isMute = isMute
        self.replacesSettings = replacesSettings
        waiting = replacesSettings ? [] : nil
        // Without settings, HTTP/2 has no limit.
        acknowledgedLimit = replacesSettings ? .max : limit
    }

    /// The number of streams that the client may open now, whether it has read the last settings or
    /// not.
    var allowedStreams: UInt32 { max(acknowledgedLimit, sent.compactMap(\.limit).max() ?? 0) }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Records that the client has acknowledged settings.
    ///
    /// - Returns: `true` if NIO waits for this, and `nil` if there were no settings.
    func acknowledge() -> Bool? {
        guard !sent.isEmpty else { return nil }
        let settings = sent.removeFirst()
        if let limit = settings.limit { acknowledgedLimit = limit }
        return settings.isKnownToNIO
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var frame = unwrapOutboundIn(data)
        guard !isMute else {
            promise?.succeed()
            return
        }
        // Length, type 4, no flags; then an identifier of 2 bytes and a value of 4 bytes per
        // setting.
        let isSettings = frame.getInteger(at: frame.readerIndex + 3, as: UInt16.self) == 0x0400
        guard waiting == nil else {
            if isSettings {
                promise?.succeed()
            } else {
                waiting?.append(WaitingFrame(frame: frame, promise: promise))
            }
            return
        }
        if isSettings {
            for setting in stride(from: frame.readerIndex + 9, to: frame.writerIndex, by: 6)
            where frame.getInteger(at: setting, as: UInt16.self) == 3 {
                frame.setInteger(limit, at: setting + 2)
            }
            sent.append(SentSettings(limit: limit, isKnownToNIO: true))
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    /// Writes frames in one piece.
    func write(_ frames: [RawFrame], _ streams: RawFrame.Context = .init()) {
        for settings in frames where settings.isSettings {
            let isKnownToNIO = replacesSettings && waiting != nil && sent.isEmpty
            sent.append(SentSettings(limit: Self.limit(in: settings), isKnownToNIO: isKnownToNIO))
        }
        write(bytes: frames.flatMap { $0.bytes(streams) })
        guard frames.contains(where: \.isSettings), let frames = waiting else { return }
        waiting = nil
        for waiting in frames {
            context?.write(wrapOutboundOut(waiting.frame), promise: waiting.promise)
        }
        context?.flush()
    }

    /// Writes any bytes.
    func write(bytes: [UInt8]) {
        if !isMute {
            context?.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        }
    }

    private static func limit(in settings: RawFrame) -> UInt32? {
        var limit: UInt32?
        for start in stride(from: 0, to: settings.payload.count - 5, by: 6)
        where settings.payload[start...].starts(with: [0, 3]) {
            limit = settings.payload[(start + 2)...].prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
        return limit
    }
}
#endif

#if APNs
internal import NIOCore

/// Counts the frames of the client, and keeps acknowledgements of settings that NIO didn't write
/// away from it.
final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    private static let names = [
        "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY",
        "WINDOW_UPDATE", "CONTINUATION",
    ]

    private static let acknowledgement = "SETTINGS ACK"

    private let server: TestAPNsServer
    private let writer: FrameWriter
    private var bytes = ByteBuffer()
    private var hasPreface = false

    init(server: TestAPNsServer, writer: FrameWriter) {
        self.server = server
        self.writer = writer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        bytes.writeBuffer(&part)
        var known = ByteBuffer()
        if !hasPreface {
            guard let start = bytes.readSlice(length: Self.preface.readableBytes) else { return }
            if start != Self.preface { server.countViolation("preface") }
            hasPreface = true
            known.writeImmutableBuffer(start)
        }
        while var frame = nextFrame() {
            if count(frame) == Self.acknowledgement {
                // New limits aren't for the frames before this one.
                pass(&known, context)
                guard isForNIO else { continue }
            }
            known.writeBuffer(&frame)
        }
        bytes.discardReadBytes()
        pass(&known, context)
    }

    private func pass(_ frames: inout ByteBuffer, _ context: ChannelHandlerContext) {
        if frames.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(frames)) }
        frames = ByteBuffer()
    }

    private func nextFrame() -> ByteBuffer? {
        guard let start: UInt32 = bytes.getInteger(at: bytes.readerIndex) else { return nil }
        return bytes.readSlice(length: 9 + Int(start >> 8))
    }

    /// Counts a frame, and returns its name.
    private func count(_ frame: ByteBuffer) -> String {
        let type = Int(frame.getInteger(at: frame.readerIndex + 3, as: UInt8.self) ?? 0)
        let flags = frame.getInteger(at: frame.readerIndex + 4, as: UInt8.self) ?? 0
        var name = type < Self.names.count ? Self.names[type] : "\(type)"
        if flags & 1 == 1, name == "SETTINGS" || name == "PING" { name += " ACK" }
        server.countFrame(name)
        return name
    }

    /// A Boolean value that indicates whether NIO waits for the acknowledgement of settings that
    /// arrives now.
    private var isForNIO: Bool {
        guard let isKnown = writer.acknowledge() else {
            server.countViolation("settings-ack")
            return false
        }
        return isKnown
    }
}
#endif

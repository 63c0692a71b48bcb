#if APNs
internal import Foundation
internal import NIOCore
internal import NIOHTTP2

extension Connection {
    /// Does steps one after the other, for a request or at the start of the connection.
    func run(_ steps: ArraySlice<Step>, for exchange: Exchange?) {
        var steps = steps
        while let context, phase == .open || phase == .leaving, let step = steps.popFirst() {
            switch step {
            case .accept: exchange.map(accept)
            case .answered: exchange.map(countAnswer)
            case .write(let frames): write(frames, for: exchange)
            case .flood(let frame, let count):
                // The reader expects an acknowledgement of each SETTINGS frame.
                writer.write(Array(repeating: frame, count: count), streams(of: exchange))
            case .bytes(let bytes): writer.write(bytes: bytes)
            case .pause(let seconds):
                let delay = TimeAmount.nanoseconds(Int64(seconds * 1e9))
                context.eventLoop.assumeIsolated().scheduleTask(in: delay) { [steps] in
                    self.run(steps, for: exchange)
                }
                return
            case .roundTrip: return roundTrip { [steps] in self.run(steps, for: exchange) }
            case .mute: writer.isMute = true
            case .end(let ending): end(ending)
            }
        }
    }

    private func write(_ frames: [RawFrame], for exchange: Exchange?) {
        for frame in frames where frame.last != nil {
            exclude(after: frame.last?.number(streams(of: exchange)))
        }
        writer.write(frames, streams(of: exchange))
        guard let exchange, frames.contains(where: \.endsStream) else { return }
        // NIO doesn't know about the answer.
        lastHandled = max(lastHandled, exchange.stream)
        streams[exchange.stream] = nil
        if phase == .leaving, streams.isEmpty { close(exchange.context) }
    }

    /// Never processes the requests that GOAWAY excludes.
    private func exclude(after number: Int?) {
        guard let number, number < Int(lastStream) else { return }
        lastStream = HTTP2StreamID(number)
        streams = streams.filter { $0.key <= lastStream }
    }

    private func streams(of exchange: Exchange?) -> RawFrame.Context {
        .init(request: exchange.map { Int($0.stream) } ?? 0, lastHandled: Int(lastHandled))
    }

    private func countAnswer(_ exchange: Exchange) {
        guard let id = exchange.request?.id else { return }
        server.countAnswer(id, accepted: exchange.isAccepted)
    }
}
#endif

#if APNs
extension Scenario {
    /// Many frames, and an answer that accepts the push if the client hasn't ended the connection
    /// meanwhile.
    package static let floods: [Scenario] = [
        flood("PING", .ping),
        flood("acknowledgements of PING", .ping.with(\.flags, 1)),
        flood("SETTINGS", .settings([.concurrentStreams: 100])),
        flood("SETTINGS without values", .settings()),
        flood("PRIORITY", .priority(on: .request())),
        flood("PRIORITY of other streams", .priority(on: .request(plus: 2000))),
        flood("WINDOW_UPDATE", .windowUpdate(1)),
        flood("WINDOW_UPDATE of the stream", .windowUpdate(1, on: .request())),
        flood("unknown frames", RawFrame(type: 0xEE).with(\.payload, [1])),
        flood("unknown frames of the stream", RawFrame(type: 0xEE).with(\.stream, .request())),
        flood("ALTSVC", RawFrame(type: 10).with(\.payload, [0, 0])),
        flood("GOAWAY", .goAway(last: .number(0x7FFF_FFFF))),
        flood("a status of 103", .headers([":status": "103"], end: false), count: 1000),
        flood("empty DATA", .data("", end: false), after: .headers([":status": "200"], end: false)),
        flood(
            "padding", .data("", end: false).padded(1),
            after: .headers([":status": "200"], end: false), count: 1000),
        flood(
            "empty CONTINUATION", .continuation([], end: false),
            after: .headers([":status": "200"], end: false).with(\.flags, 0)),
        flood("resets", .reset(8)),
        flood("resets of other streams", .reset(8).with(\.stream, .request(plus: 2000))),
    ]

    private static func flood(
        _ name: String, _ frame: RawFrame, after start: RawFrame? = nil, count: Int = 10_000
    ) -> Scenario {
        Scenario(
            name, .accept, .write(start.map { [$0] } ?? []), .flood(frame, count: count),
            .write(start == nil ? .headers([":status": "200"], end: true) : .data("", end: true)),
            .answered)
    }
}
#endif

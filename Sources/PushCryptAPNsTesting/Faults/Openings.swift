#if APNs
extension Scenario {
    /// The first frames of connections that HTTP/2 allows.
    package static let openings: [Scenario] =
        limits + values + [
            Scenario(
                "two frames in one piece",
                .write([
                    .settings([.concurrentStreams: 1]), .settings([.concurrentStreams: 1000]),
                ])),
            Scenario(
                "two frames in two pieces", .write(.settings()),
                .write(.settings([.concurrentStreams: 1000]))),
            Scenario(
                "a second frame after 0.1 ms", .write(.settings()), .pause(0.0001),
                .write(.settings([.concurrentStreams: 9]))),
            Scenario(
                "a second frame after 0.3 ms", .write(.settings()), .pause(0.0003),
                .write(.settings([.concurrentStreams: 9]))),
            Scenario(
                "a second frame after 1 ms", .write(.settings()), .pause(0.001),
                .write(.settings([.concurrentStreams: 9]))),
            Scenario(
                "a second frame after 3 ms", .write(.settings()), .pause(0.003),
                .write(.settings([.concurrentStreams: 9]))),
            Scenario(
                "a second frame after the first one is read", .write(.settings()), .roundTrip,
                .write(.settings())),
            Scenario("50 frames", .write(many)),
            Scenario(
                "frames that come late", .pause(0.3),
                .write(.settings([.concurrentStreams: 1000]))),
            Scenario("PING at once", .write([.settings(), .ping, .ping])),
            Scenario(
                "a window of the connection at once",
                .write([.settings(), .windowUpdate(1 << 30)])),
            Scenario(
                "unknown frames at once",
                .write([.settings(), RawFrame(type: 0xEE), RawFrame(type: 12)])),
        ]

    private static let limits = [
        limit("1 stream", 1), limit("3 streams", 3), limit("1000 streams", 1000),
        limit("2^32 - 1 streams", .max),
        limit("1, 1000, 1, 3, 100, 1, 1000 streams", 1, 1000, 1, 3, 100, 1, 1000),
        limit("no stream for a while", 0, 0, 0, 1000), limit("1, no and 1 stream", 1, 0, 0, 1),
        Scenario("no limit", .write(.settings())),
    ]

    private static let values = [
        Scenario(
            "a window of 1 byte, which then grows", .write(.settings([.initialWindow: 1])),
            .pause(0.1),
            .write(.settings([.initialWindow: 65_535]))),
        Scenario(
            "a window of 0, which then grows", .write(.settings([.initialWindow: 0])), .pause(0.1),
            .write(.settings([.initialWindow: 65_535]))),
        Scenario(
            "a window that shrinks and grows", .write(.settings()), .pause(0.05),
            .write(.settings([.initialWindow: 0])), .pause(0.05),
            .write(.settings([.initialWindow: 20])), .pause(0.05),
            .write(.settings([.initialWindow: 65_535]))),
        Scenario("the largest window", .write(.settings([.initialWindow: 0x7FFF_FFFF]))),
        Scenario("the smallest frames", .write(.settings([.frameSize: 16_384]))),
        Scenario("the largest frames", .write(.settings([.frameSize: 0xFF_FFFF]))),
        Scenario("no table of headers", .write(.settings([.headerTableSize: 0]))),
        Scenario(
            "a table of headers that changes", .write(.settings([.headerTableSize: 0])),
            .pause(0.05),
            .write(.settings([.headerTableSize: 4096])), .pause(0.05),
            .write(.settings([.headerTableSize: 100]))),
        Scenario("a table of headers of 2^32 - 1", .write(.settings([.headerTableSize: .max]))),
        Scenario("short lists of headers", .write(.settings([.headerListSize: 8000]))),
        Scenario("no server push", .write(.settings([.enablePush: 0]))),
        Scenario("extensions", .write(.settings([.connectProtocol: 1, .noPriorities: 1]))),
        Scenario(
            "unknown settings", .write(.settings([.init(0): 1, .init(7): 2, .init(0xFFFF): .max]))),
        Scenario(
            "a setting twice",
            .write(.settings([.concurrentStreams: 1, .concurrentStreams: 1000]))),
    ]

    /// The first frames of connections that HTTP/2 forbids.
    package static let brokenOpenings: [Scenario] = [
        Scenario("a frame size of 0", .write(.settings([.frameSize: 0]))),
        Scenario("a frame size of 16,383", .write(.settings([.frameSize: 16_383]))),
        Scenario("a frame size of 2^24", .write(.settings([.frameSize: 1 << 24]))),
        Scenario("a window of 2^31", .write(.settings([.initialWindow: 1 << 31]))),
        Scenario("server push that is 2", .write(.settings([.enablePush: 2]))),
        Scenario("settings of 5 bytes", .write(.settings().with(\.payload, [0, 3, 0, 0, 0]))),
        Scenario("settings on a stream", .write(.settings().with(\.stream, .number(1)))),
        Scenario("PING before settings", .write(.ping), .pause(0.1), .end(.cut)),
        Scenario(
            "GOAWAY before settings", .write(.goAway(last: .connection)), .pause(0.1), .end(.cut)),
        Scenario(
            "an acknowledgement before settings", .write(.settingsAcknowledgement), .pause(0.1),
            .end(.cut)),
        Scenario(
            "GOAWAY after settings",
            .write([.settings([.concurrentStreams: 100]), .goAway(last: .connection)]),
            .pause(0.1), .end(.cut)),
        Scenario(
            "an answer of HTTP/1", .bytes(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
            .pause(0.1), .end(.cut)),
        Scenario("garbage", .bytes(Array(repeating: 0xA5, count: 1000)), .pause(0.1), .end(.cut)),
        Scenario("nothing, and an end", .pause(0.1), .end(.farewell)),
        Scenario("nothing, and a cut", .pause(0.1), .end(.cut)),
        Scenario("nothing, and a reset", .pause(0.1), .end(.reset)),
        Scenario("an end at once", .end(.cut)),
        Scenario("a reset at once", .end(.reset)),
    ]

    private static let many = (1...50).map {
        RawFrame.settings([.concurrentStreams: UInt32($0 * 20)])
    }

    /// Changes the limit from time to time, but always goes on.
    private static func limit(_ name: String, _ limits: UInt32...) -> Scenario {
        var steps: [Step] = []
        for (index, limit) in limits.enumerated() {
            steps +=
                (index > 0 ? [.pause(0.05)] : []) + [.write(.settings([.concurrentStreams: limit]))]
        }
        return Scenario(name, steps: steps)
    }
}
#endif

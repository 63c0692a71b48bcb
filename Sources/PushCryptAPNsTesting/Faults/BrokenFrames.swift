#if APNs
extension Scenario {
    /// Frames that HTTP/2 forbids, instead of an answer.
    ///
    /// The connection ends after them in any case.
    package static let brokenFrames: [Scenario] =
        brokenStreams + brokenConnections + brokenHeaders + brokenBytes

    private static let brokenStreams = [
        broken("DATA on the connection", .data("x", end: false).with(\.stream, .connection)),
        broken("DATA before HEADERS", .data("x", end: true)),
        broken(
            "DATA on a stream that isn't open",
            .data("x", end: false).with(\.stream, .request(plus: 2000))),
        broken(
            "DATA with too much padding",
            .data("x", end: false).with(\.flags, 8).with(\.payload, [200, 0])),
        broken(
            "HEADERS on the connection",
            .headers([":status": "200"], end: true).with(\.stream, .connection)),
        broken(
            "HEADERS on a stream of the server",
            .headers([":status": "200"], end: true).with(\.stream, .number(2))),
        broken(
            "HEADERS on a stream that isn't open",
            .headers([":status": "200"], end: true).with(\.stream, .request(plus: 2000))),
        broken(
            "HEADERS with too much padding",
            RawFrame(.headers).with(\.stream, .request()).with(\.flags, 0xC).with(\.payload, [9])),
        broken("CONTINUATION alone", .continuation([], end: true)),
        broken(
            "HEADERS in parts, with PING between",
            .headers([":status": "200"], end: false).with(\.flags, 0), .ping),
        broken("RST_STREAM on the connection", .reset(0).with(\.stream, .connection)),
        broken(
            "RST_STREAM on a stream that isn't open", .reset(0).with(\.stream, .request(plus: 2000))
        ),
        broken("RST_STREAM of 3 bytes", .reset(0).with(\.payload, [0, 0, 0])),
        broken("PRIORITY on the connection", .priority(on: .connection)),
        broken("PRIORITY of 4 bytes", .priority(on: .request()).with(\.payload, [0, 0, 0, 0])),
        broken("PUSH_PROMISE", .pushPromise(of: 2)),
        broken("PUSH_PROMISE of a stream of the client", .pushPromise(of: 4001)),
        broken("a window of the stream that grows by 0", .windowUpdate(0, on: .request())),
        broken(
            "a window of the stream that is too large", .windowUpdate(0x7FFF_FFFF, on: .request())),
    ]

    private static let brokenConnections = [
        broken("a window that grows by 0", .windowUpdate(0)),
        broken("a window that is too large", .windowUpdate(0x7FFF_FFFF)),
        broken("WINDOW_UPDATE of 3 bytes", .windowUpdate(1).with(\.payload, [0, 0, 1])),
        broken("SETTINGS on a stream", .settings().with(\.stream, .request())),
        broken("SETTINGS of 5 bytes", .settings().with(\.payload, [0, 1, 0, 0, 0])),
        broken(
            "an acknowledgement of settings with bytes",
            .settingsAcknowledgement.with(\.payload, [0, 1, 0, 0, 0, 0])),
        broken("an acknowledgement of no settings", .settingsAcknowledgement),
        broken("a frame size of 0", .settings([.frameSize: 0])),
        broken("a window of 2^31", .settings([.initialWindow: 1 << 31])),
        broken("PING on a stream", .ping.with(\.stream, .request())),
        broken("PING of 7 bytes", .ping.with(\.payload, Array(repeating: 0xFF, count: 7))),
        broken("an acknowledgement of no PING", .ping.with(\.flags, 1)),
        broken("GOAWAY on a stream", .goAway(last: .lastHandled()).with(\.stream, .request())),
        broken(
            "GOAWAY of 7 bytes", RawFrame(.goAway).with(\.payload, Array(repeating: 0, count: 7))),
        broken(
            "GOAWAY whose last stream grows", .goAway(last: .lastHandled(plus: 2)),
            .goAway(last: .lastHandled(plus: 4))
        ),
        broken("GOAWAY with an even stream", .goAway(last: .lastHandled(plus: 1))),
        broken("GOAWAY with an error", .goAway(last: .lastHandled(), code: 1)),
    ]

    private static let brokenHeaders = [
        broken("a status twice", .headers([":status": "200", ":status": "400"], end: true)),
        broken("no status", .headers(["apns-id": "x"], end: true)),
        broken("no fields", .headers([:], end: true)),
        broken("a status after a field", .headers(["x": "x", ":status": "200"], end: true)),
        broken(
            "a field with capital letters",
            .headers([":status": "200", "Apns-Id": "x"], end: true)),
        broken(
            "a field of HTTP/1", .headers([":status": "200", "connection": "close"], end: true)),
        broken(
            "a pseudo-header of a request", .headers([":status": "200", ":path": "/"], end: true)),
        broken("a status with letters", .headers([":status": "2xx"], end: true)),
        broken("a status of 4 digits", .headers([":status": "2000"], end: true)),
        broken("a status of 2 digits", .headers([":status": "20"], end: true)),
        broken("an empty status", .headers([":status": ""], end: true)),
        broken("a status of 101", .headers([":status": "101"], end: true)),
        broken("a last status of 103", .headers([":status": "103"], end: true)),
        broken("a field of 200,000 bytes", largeHeaders(20)),
        broken(
            "an index of no field",
            RawFrame(.headers).with(\.stream, .request()).with(\.flags, 5).with(
                \.payload, [0xFF, 0x7F])),
        broken(
            "index 0",
            RawFrame(.headers).with(\.stream, .request()).with(\.flags, 5).with(\.payload, [0x80])),
        broken(
            "an endless number",
            RawFrame(.headers).with(\.stream, .request()).with(\.flags, 5).with(
                \.payload, Array(repeating: 0xFF, count: 30))),
        broken(
            "half a field",
            RawFrame(.headers).with(\.stream, .request()).with(\.flags, 5).with(
                \.payload, [0, 5, 0x61])),
        broken(
            "a table of headers that is too large",
            RawFrame(.headers).with(\.stream, .request()).with(\.flags, 5).with(
                \.payload, [0x3F, 0xE1, 0xFF, 0x03, 0x88])),
        broken(
            "Huffman code with its end",
            RawFrame(.headers).with(\.stream, .request()).with(\.flags, 5)
                .with(\.payload, [0, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0])),
    ]

    private static let brokenBytes = [
        broken("a frame of 16,385 bytes", .data(String(repeating: "x", count: 16_385), end: false)),
        broken("a frame of 2^24 - 1 bytes", .ping.with(\.length, 0xFF_FFFF)),
        broken(
            "an unknown frame that is too large",
            RawFrame(type: 0xEE).with(\.payload, Array(repeating: 0, count: 40_000))),
        Scenario("bytes 0xFF", .bytes(Array(repeating: 0xFF, count: 100)), .roundTrip, .end(.cut)),
        Scenario("zeros", .bytes(Array(repeating: 0, count: 100)), .pause(0.1), .end(.cut)),
        Scenario(
            "an answer of HTTP/1",
            .bytes(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)),
            .pause(0.1),
            .end(.cut)),
        Scenario(
            "the client's preface", .bytes(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)),
            .pause(0.1), .end(.cut)),
    ]

    /// Answers that accept a push, with something forbidden after them.
    package static let brokenAfterAnswers: [Scenario] = [
        after("a second answer", .headers([":status": "400"], end: true)),
        after("DATA", .data("x", end: true)),
        after("a window that grows by 0", .windowUpdate(0)),
        after("SETTINGS of 5 bytes", .settings().with(\.payload, [0, 1, 0, 0, 0])),
        after("the same stream refused", .reset(7)),
    ]

    /// The end comes after a round trip, or after a while if the client doesn't understand PING any
    /// more.
    private static func broken(_ name: String, _ frames: RawFrame...) -> Scenario {
        broken(name, frames)
    }

    private static func broken(_ name: String, _ frames: [RawFrame]) -> Scenario {
        Scenario(name, .write(frames), .pause(0.05), .end(.cut))
    }

    private static func after(_ name: String, _ frame: RawFrame) -> Scenario {
        Scenario(
            "\(name) after the end", .accept,
            .write([.headers([":status": "200"], end: true), frame]), .answered)
    }

    private static func largeHeaders(_ count: Int) -> [RawFrame] {
        let block = RawFrame.block([
            ":status": "200", "x": String(repeating: "x", count: count * 10_000),
        ])
        let pieces = stride(from: 0, to: block.count, by: 16_000).map {
            Array(block[$0..<min($0 + 16_000, block.count)])
        }
        return pieces.enumerated().map { index, piece in
            index == 0
                ? RawFrame(.headers).with(\.stream, .request()).with(\.flags, 1).with(
                    \.payload, piece)
                : .continuation(piece, end: index == pieces.count - 1)
        }
    }
}
#endif

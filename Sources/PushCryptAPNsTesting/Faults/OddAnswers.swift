#if APNs
extension Scenario {
    /// Answers that accept a push in ways that HTTP/2 allows, and APNs doesn't use.
    package static let oddAnswers: [Scenario] = [
        odd(
            "a status of 103 before", .headers([":status": "103", "link": "</a>"], end: false),
            whole),
        odd(
            "100 twice before", .headers([":status": "100"], end: false),
            .headers([":status": "100"], end: false),
            whole),
        odd("padded headers", whole.padded(255)),
        odd(
            "padded data", start, .data("", end: false).padded(200),
            .data("{}", end: true).padded(0)),
        odd(
            "headers with a priority",
            whole.with(\.flags, 0x25).with(\.payload, [0, 0, 0, 0, 15] + whole.payload)),
        odd("empty data at the end", start, .data("", end: true)),
        odd("a body", start, .data(#"{"a":1}"#, end: true)),
        odd("a body of 60,000 bytes", [start] + body(60_000)),
        odd("trailers", start, .data("{}", end: false), .headers(["grpc-status": "0"], end: true)),
        odd(
            "headers in five parts", cutHeaders(1),
            .continuation(Array(whole.payload[1..<9]), end: false), .continuation([], end: false),
            .continuation(Array(whole.payload[9..<10]), end: false),
            .continuation(Array(whole.payload[10...]), end: true)),
        odd(
            "unknown frames between", unknown, start, unknown.with(\.stream, .connection),
            .data("", end: true)),
        odd(
            "PRIORITY between", .priority(on: .request()), start,
            .priority(on: .request(plus: 2000)),
            .data("", end: true)),
        odd(
            "ALTSVC and ORIGIN between", RawFrame(type: 10).with(\.payload, [0, 0]), start,
            RawFrame(type: 12),
            .data("", end: true)),
        odd("PING between", .ping, start, .ping, .data("", end: true)),
        odd(
            "settings between", .settings(), start, .settings([.frameSize: 20_000]),
            .data("", end: true)),
        odd(
            "windows between", .windowUpdate(1), start, .windowUpdate(1, on: .request()),
            .data("", end: true)),
        odd("a reset without an error after it", whole, .reset(0)),
        odd("a reset with an error after it", whole, .reset(2)),
        odd("unknown flags", whole.with(\.flags, 0xD7), .ping.with(\.flags, 0xFE)),
        odd("the reserved bit", whole.with(\.isReservedBitSet, true)),
        odd(
            "a size of the table of headers",
            whole.with(\.payload, [0x3F, 0xE1, 0x1F] + whole.payload)),
        odd(
            "a field of 6,000 bytes", .headers([":status": "200", "x": long], end: true)),
        odd("GOAWAY with the highest number before", .goAway(last: .number(0x7FFF_FFFF)), whole),
        odd(
            "GOAWAY with this stream between", start, .goAway(last: .lastHandled()),
            .data("", end: true)),
    ]

    /// Answers of which the status arrives, and the end doesn't: the push is accepted.
    package static let cutAnswers: [Scenario] =
        Ending.allCases.filter { $0 != .silence }.flatMap { ending in
            [
                Scenario(
                    "\(ending) after the status", .accept, .write(start), .answered, .roundTrip,
                    .end(ending)),
                Scenario(
                    "\(ending) in the body", .accept, .write([start, .data("{", end: false)]),
                    .answered, .roundTrip,
                    .end(ending)),
            ]
        } + [
            Scenario("a reset after the status", .accept, .write([start, .reset(2)]), .answered),
            Scenario(
                "broken frames after the status", .accept,
                .write([start, .settings().with(\.stream, .request())]),
                .answered),
        ]

    private static let long = String(repeating: "x", count: 6000)
    private static let whole = RawFrame.headers(
        [":status": "200", "apns-unique-id": "u"], end: true)
    private static let start = RawFrame.headers([":status": "200"], end: false)
    private static let unknown = RawFrame(type: 0xEE).with(\.stream, .request()).with(\.flags, 0xFF)
        .with(\.payload, [1, 2, 3])

    private static func odd(_ name: String, _ frames: RawFrame...) -> Scenario { odd(name, frames) }

    private static func odd(_ name: String, _ frames: [RawFrame]) -> Scenario {
        Scenario(name, .accept, .write(frames), .answered)
    }

    private static func cutHeaders(_ count: Int) -> RawFrame {
        whole.with(\.flags, 1).with(\.payload, Array(whole.payload[..<count]))
    }

    private static func body(_ count: Int) -> [RawFrame] {
        stride(from: 0, to: count, by: 10_000).map {
            .data(String(repeating: " ", count: 10_000), end: $0 + 10_000 == count)
        }
    }
}
#endif

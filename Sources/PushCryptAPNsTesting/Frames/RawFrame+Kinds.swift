#if APNs
extension RawFrame {
    /// The number of a setting.
    package struct Setting: Sendable {
        package static let headerTableSize = Self(1)
        package static let enablePush = Self(2)
        package static let concurrentStreams = Self(3)
        package static let initialWindow = Self(4)
        package static let frameSize = Self(5)
        package static let headerListSize = Self(6)
        package static let connectProtocol = Self(8)
        package static let noPriorities = Self(9)

        let number: UInt16

        package init(_ number: UInt16) { self.number = number }
    }

    /// SETTINGS with values in the given order.
    package static func settings(_ values: KeyValuePairs<Setting, UInt32> = [:]) -> Self {
        let bytes = values.flatMap {
            bigEndian(UInt32($0.key.number)).suffix(2) + bigEndian($0.value)
        }
        return Self(.settings).with(\.payload, bytes)
    }

    /// The acknowledgement of SETTINGS.
    package static let settingsAcknowledgement = Self(.settings).with(\.flags, 1)

    /// PING with 8 equal bytes, which the server's own ones never have.
    package static let ping = Self(.ping).with(\.payload, Array(repeating: 0xFF, count: 8))

    static func ping(_ number: UInt32) -> Self {
        Self(.ping).with(\.payload, bigEndian(0) + bigEndian(number))
    }

    /// GOAWAY with a code and a reason.
    package static func goAway(
        last: Stream, code: UInt32 = 0, reason: String = #"{"reason":"Shutdown"}"#
    ) -> Self {
        Self(.goAway).with(\.last, last).with(\.payload, bigEndian(code) + Array(reason.utf8))
    }

    /// HEADERS of the request's stream.
    package static func headers(_ fields: KeyValuePairs<String, String>, end: Bool) -> Self {
        Self(.headers).with(\.stream, .request()).with(\.flags, end ? 5 : 4).with(
            \.payload, block(fields))
    }

    /// CONTINUATION of the request's stream.
    package static func continuation(_ bytes: [UInt8], end: Bool) -> Self {
        Self(.continuation).with(\.stream, .request()).with(\.flags, end ? 4 : 0).with(
            \.payload, bytes)
    }

    /// DATA of the request's stream.
    package static func data(_ text: String, end: Bool) -> Self {
        Self(.data).with(\.stream, .request()).with(\.flags, end ? 1 : 0).with(
            \.payload, Array(text.utf8))
    }

    /// RST_STREAM of the request's stream.
    package static func reset(_ code: UInt32) -> Self {
        Self(.reset).with(\.stream, .request()).with(\.payload, bigEndian(code))
    }

    /// WINDOW_UPDATE of a stream, or of the connection.
    package static func windowUpdate(_ count: UInt32, on stream: Stream = .connection) -> Self {
        Self(.windowUpdate).with(\.stream, stream).with(\.payload, bigEndian(count))
    }

    /// PRIORITY, which depends on the connection with weight 16.
    package static func priority(on stream: Stream) -> Self {
        Self(.priority).with(\.stream, stream).with(\.payload, bigEndian(0) + [15])
    }

    /// PUSH_PROMISE of a stream, for a request by the server.
    package static func pushPromise(of stream: UInt32) -> Self {
        let fields = block([
            ":method": "GET", ":scheme": "https", ":authority": "localhost", ":path": "/",
        ])
        return Self(.pushPromise).with(\.stream, .request()).with(\.flags, 4)
            .with(\.payload, bigEndian(stream) + fields)
    }

    /// Returns a copy with padding.
    package func padded(_ count: UInt8) -> Self {
        with(\.flags, flags | 8).with(
            \.payload, [count] + payload + Array(repeating: 0, count: Int(count)))
    }

    /// Returns header fields as literals without indexing, which leave NIO's table of headers as it
    /// is.
    package static func block(_ fields: KeyValuePairs<String, String>) -> [UInt8] {
        fields.flatMap { [0] + literal($0.key) + literal($0.value) }
    }

    private static func literal(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8.count
        if rest < 127 {
            bytes = [UInt8(rest)]
        } else {
            bytes = [127]
            rest -= 127
            while rest >= 128 {
                bytes.append(UInt8(rest % 128 + 128))
                rest /= 128
            }
            bytes.append(UInt8(rest))
        }
        return bytes + Array(text.utf8)
    }
}
#endif

#if APNs
/// A frame of HTTP/2 as bytes, valid or not.
///
/// The server writes such frames without the knowledge of NIO, which refuses to write most faults.
package struct RawFrame: Sendable {
    /// The number of a stream.
    package enum Stream: Sendable {
        /// The connection itself.
        case connection
        /// The stream of the request, or one that is counted from it.
        case request(plus: Int = 0)
        /// The last stream that was accepted or answered, or one that is counted from it.
        ///
        /// It can come after that of the request, because the data of requests arrive in any order.
        case lastHandled(plus: Int = 0)
        /// A given number.
        case number(Int)

        func number(_ context: Context) -> Int {
            switch self {
            case .connection: 0
            case .request(let distance): max(0, context.request + distance)
            case .lastHandled(let distance): max(0, context.lastHandled + distance)
            case .number(let number): number
            }
        }
    }

    /// The numbers of streams that frames can name.
    struct Context {
        var request = 0
        var lastHandled = 0
    }

    /// The types of frames.
    package enum Kind: UInt8, Sendable {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate,
            continuation
    }

    /// The type of the frame.
    package var type: UInt8
    /// The flags of the frame.
    package var flags: UInt8 = 0
    /// The stream of the frame.
    package var stream = Stream.connection
    /// The bytes after the header.
    package var payload: [UInt8] = []
    /// The last stream of GOAWAY, which precedes the payload.
    package var last: Stream?
    /// The length in the header, if it isn't that of the bytes.
    package var length: Int?
    /// A Boolean value that indicates whether the reserved bit of the stream is set.
    package var isReservedBitSet = false

    package init(_ kind: Kind) { type = kind.rawValue }

    package init(type: UInt8) { self.type = type }

    /// Returns a copy with a change.
    package func with<Value>(_ member: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: member] = value
        return copy
    }

    /// A Boolean value that indicates whether the frame announces settings.
    var isSettings: Bool { type == Kind.settings.rawValue && flags & 1 == 0 }

    /// A Boolean value that indicates whether the frame ends its stream.
    var endsStream: Bool {
        switch Kind(rawValue: type) {
        case .data, .headers: flags & 1 == 1
        case .reset: true
        default: false
        }
    }

    /// Returns the bytes of the frame.
    func bytes(_ context: Context) -> [UInt8] {
        let rest = (last.map { Self.bigEndian(UInt32($0.number(context))) } ?? []) + payload
        let number = UInt32(stream.number(context)) | (isReservedBitSet ? 1 << 31 : 0)
        return Self.bigEndian(UInt32(length ?? rest.count)).dropFirst() + [type, flags]
            + Self.bigEndian(number) + rest
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
#endif

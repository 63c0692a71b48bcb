/// How a message's length is hidden: zero bytes behind the payload, inside of the sealed box.
public enum Padding: String, Sendable, Hashable, CaseIterable {
    /// To the next of 256, 512, 1024 and 2048 bytes, or else to the most that fits. The size then says almost nothing.
    case buckets
    /// To the most that fits: all payloads are equally long, and as expensive as the longest.
    case maximum
    /// Not at all: whoever carries the payload learns the length of the original to the byte.
    case none

    /// The length to which a message is padded.
    ///
    /// - Parameters:
    ///   - length: the message without padding.
    ///   - limit: the longest message that fits; at least `length`.
    /// - Returns: the padded length in bytes.
    package func paddedLength(_ length: Int, limit: Int) -> Int {
        switch self {
        case .none: length
        case .maximum: limit
        case .buckets: [256, 512, 1024, 2048].first { $0 >= length && $0 <= limit } ?? limit
        }
    }
}

/// The padding that hides the length of a payload: zero bytes after the payload, inside of the
/// sealed box.
public enum Padding: String, Sendable, Hashable, CaseIterable {
    /// Padding to 256, 512, 1024 or 2048 bytes, or to the maximum, so that the size reveals very
    /// little.
    case buckets
    /// Padding to the maximum, so that all payloads have the same length.
    case maximum
    /// No padding: the size reveals the exact length of the payload.
    case none

    /// Returns the padded length of a message, from its length to the limit.
    package func paddedLength(_ length: Int, limit: Int) -> Int {
        switch self {
        case .none: length
        case .maximum: limit
        case .buckets: [256, 512, 1024, 2048].first { $0 >= length && $0 <= limit } ?? limit
        }
    }
}

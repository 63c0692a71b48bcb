/// A line of an input, without its line break.
enum Line: Sendable, Equatable {
    /// The maximum length in bytes.
    static let maximumLength = 1 << 16
    /// The maximum length of an answer in bytes, which may repeat its whole line.
    static let maximumLengthOfAnswer = maximumLength + 4096

    case bytes([UInt8])
    /// A line above the maximum length, whose bytes were discarded.
    case tooLong
}

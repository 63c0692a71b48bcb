internal import PushCryptSender

/// The bytes of an input that aren't taken as lines yet, in memory of constant length.
///
/// ``append(_:)`` adds bytes at the end. ``nextLine()`` and ``discardLine()`` take lines from the
/// start. The start of a line that is too long is discarded as soon as that is known, so there is
/// always room for more bytes.
struct LineBuffer: Sendable {
    /// The maximum length of a line in bytes.
    private let maximumLength: Int
    private var bytes: [UInt8]
    /// The offset of the first byte that isn't taken.
    private var start = 0
    /// The offset up to which the search for a line break has come.
    private var searched = 0
    /// The offset after the last byte.
    private var end = 0
    /// A Boolean value that indicates whether bytes of the first line were discarded, because it is
    /// too long.
    private var isTooLong = false

    init(maximumLength: Int = Line.maximumLength) {
        self.maximumLength = maximumLength
        bytes = [UInt8](repeating: 0, count: 2 * maximumLength)
    }

    /// The number of bytes that aren't taken.
    var count: Int { end - start }

    /// Appends bytes.
    ///
    /// - Parameter read: Writes bytes at the start of the given part of a span, and returns their
    ///   number.
    /// - Returns: The number of bytes.
    /// - Throws: The error of the closure.
    mutating func append(
        _ read: (inout MutableSpan<UInt8>, Range<Int>) throws(PushCryptError) -> Int
    ) throws(PushCryptError) -> Int {
        discardStartOfLongLine()
        moveToFront()
        let room = end..<bytes.count
        var span = bytes.mutableSpan
        let count = try read(&span, room)
        end += count
        return count
    }

    /// Takes the first line; returns `nil` if its line break is missing.
    mutating func nextLine() -> Line? {
        guard let lineBreak = findLineBreak() else { return nil }
        let line = line(endingAt: lineBreak)
        take(through: lineBreak)
        return line
    }

    /// Takes the first line without a copy; returns `false` if its line break is missing.
    mutating func discardLine() -> Bool {
        guard let lineBreak = findLineBreak() else { return false }
        take(through: lineBreak)
        return true
    }

    /// Takes the bytes after the last line break, which are a line if the input ends there; returns
    /// `nil` without any.
    mutating func lastLine() -> Line? {
        guard isTooLong || start < end else { return nil }
        let line = line(endingAt: end)
        take(through: end - 1)
        return line
    }

    private mutating func findLineBreak() -> Int? {
        let lineBreak = bytes[searched..<end].firstIndex(of: UInt8(ascii: "\n"))
        searched = lineBreak ?? end
        return lineBreak
    }

    private func line(endingAt offset: Int) -> Line {
        guard !isTooLong, offset - start <= maximumLength else { return .tooLong }
        return .bytes(Array(bytes[start..<offset]))
    }

    private mutating func take(through offset: Int) {
        start = offset + 1
        searched = start
        isTooLong = false
    }

    private mutating func discardStartOfLongLine() {
        guard isTooLong || count > maximumLength else { return }
        isTooLong = true
        start = end
        searched = end
    }

    /// Moves the bytes of an incomplete line to the front, which are few if lines are short.
    private mutating func moveToFront() {
        for index in start..<end { bytes[index - start] = bytes[index] }
        searched -= start
        end -= start
        start = 0
    }
}

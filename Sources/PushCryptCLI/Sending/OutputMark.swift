internal import PushCryptSender

/// A place in an output, with a checksum of all that is before it.
struct OutputMark: Equatable, Sendable {
    private(set) var lines = 0
    /// The length of the lines in bytes, with their line breaks.
    private(set) var length = 0
    private(set) var checksum: UInt64 = 0

    init() {}

    init(lines: Int, length: Int, checksum: UInt64) {
        self.lines = lines
        self.length = length
        self.checksum = checksum
    }

    /// Moves over a line, which is given without its line break.
    mutating func add(_ line: [UInt8]) {
        lines += 1
        length += line.count + 1
        checksum = Checksum.of(line.span, after: checksum)
    }
}

/// A checksum that finds damage, and no forgery.
enum Checksum {
    /// Returns the checksum of bytes that follow others.
    static func of(_ bytes: Span<UInt8>, after checksum: UInt64 = 0) -> UInt64 {
        // A line of no bytes or of zeros counts, too.
        var sum = mixed(checksum ^ 0xA076_1D64_78BD_642F, UInt64(bytes.count))
        var position = 0
        while bytes.count - position >= 8 {
            sum = mixed(sum, UInt64(bigEndianBytes: bytes, at: position))
            position += 8
        }
        var rest: UInt64 = 0
        while position < bytes.count {
            rest = rest << 8 | UInt64(bytes[position])
            position += 1
        }
        return mixed(sum, rest)
    }

    /// Mixes a word into a checksum: the multiplication moves each bit upwards, and the shift moves
    /// it down again.
    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}

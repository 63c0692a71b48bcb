extension Base64URL {
    /// The two characters for each 12 bits, the first in the low byte.
    private static let characterPairs: [UInt16] = (0..<4096).map { bits in
        let first = UInt16(alphabet[bits >> 6])
        let second = UInt16(alphabet[bits & 63])
        return first | second << 8
    }

    /// Returns the characters for some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        let length = encodedLength(bytes.count)
        var buffer = [UInt8](repeating: 0, count: length - bytes.count) + bytes
        encode(inPlace: &buffer, room: 0..<length, count: bytes.count)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Encodes bytes in place.
    ///
    /// The bytes are at the end of the range of their encoding. Encoding runs forward and never
    /// overwrites bytes that it hasn't read, so it needs no second buffer.
    package static func encode(inPlace buffer: inout [UInt8], room: Range<Int>, count: Int) {
        let pairs = characterPairs.span
        guard room.count == encodedLength(count), room.lowerBound >= 0,
            room.upperBound <= buffer.count,
            pairs.count == 4096
        else { return }
        var bytes = buffer.mutableSpan
        var source = room.upperBound - count
        var target = room.lowerBound
        // Two words read 14 bytes for 12. Each step brings the target 4 bytes closer to the source.
        let readable = max(count - 2, 0) / (2 * groupBytes)
        let writable = (room.count - count) / (2 * (groupCharacters - groupBytes))
        for _ in 0..<min(readable, writable) {
            let words = bytes.span.words(at: source, stride: groupBytes)
            let first = characters(words.first.byteSwapped, pairs)
            let second = characters(words.second.byteSwapped, pairs)
            bytes.store(WordPair(first: first, second: second), at: target, stride: groupCharacters)
            source &+= 2 * groupBytes
            target &+= 2 * groupCharacters
        }
        encodeEnd(of: &bytes, source..<room.upperBound, to: target)
    }

    /// Encodes the last bytes, one character at a time.
    ///
    /// Zero bits complete the last character.
    private static func encodeEnd(
        of bytes: inout MutableSpan<UInt8>, _ source: Range<Int>, to start: Int
    ) {
        var next = source.lowerBound
        var bits: UInt32 = 0
        var bitCount = 0
        for target in start..<source.upperBound {
            if bitCount < 6 {
                let byte = next < source.upperBound ? bytes[next] : 0
                bits = bits << 8 | UInt32(byte)
                bitCount += 8
                next += 1
            }
            bitCount -= 6
            bytes[target] = alphabet[Int(bits >> bitCount & 63)]
        }
    }

    /// Returns the eight characters of the highest 48 bits of a word.
    @inline(__always)
    private static func characters(_ word: UInt64, _ pairs: Span<UInt16>) -> UInt64 {
        let first = UInt64(pairs[Int(word >> 52)])
        let second = UInt64(pairs[Int(word >> 40 & 0xFFF)])
        let third = UInt64(pairs[Int(word >> 28 & 0xFFF)])
        let fourth = UInt64(pairs[Int(word >> 16 & 0xFFF)])
        return first | second << 16 | third << 32 | fourth << 48
    }
}

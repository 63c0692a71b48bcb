/// Strict base64url without padding (RFC 4648 §5): every byte string has one encoding.
///
/// Table lookups are visible in the processor's cache, so this is for public bytes only. Private keys use
/// ``SecretBase64``.
package enum Base64URL {
    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The two characters for each 12 bits, the first in the low byte.
    private static let characterPairs: [UInt16] = (0..<4096).map { bits in
        UInt16(alphabet[bits >> 6]) | UInt16(alphabet[bits & 63]) << 8
    }

    /// The contribution of a character to the six bytes of its group, for each of the eight positions in the group.
    ///
    /// The bytes are in the low 48 bits in the order of memory, so that a group is eight look-ups and one store. The upper
    /// bits are set for bytes outside of the alphabet.
    private static let contributions: [UInt64] = {
        var table = [UInt64](repeating: invalid, count: 8 * 256)
        for (value, character) in alphabet.enumerated() {
            for position in 0..<8 {
                table[position * 256 + Int(character)] = (UInt64(value) << UInt64(58 - 6 * position)).byteSwapped
            }
        }
        return table
    }()

    private static let invalid: UInt64 = 0xFFFF_0000_0000_0000

    // MARK: Encoding

    /// Returns the number of characters for a number of bytes.
    package static func encodedLength(_ count: Int) -> Int { (count * 4 + 2) / 3 }

    /// Returns the number of bytes for a number of characters.
    package static func capacity(_ characters: Int) -> Int { characters * 3 / 4 }

    /// Encodes bytes in place.
    ///
    /// The bytes are at the end of the range of their text. Encoding runs forward and writes behind the position that it
    /// reads, so it needs no second buffer.
    package static func encode(inPlace buffer: inout [UInt8], room: Range<Int>, count: Int) {
        let pairs = characterPairs.span
        guard room.count == encodedLength(count), room.lowerBound >= 0, room.upperBound <= buffer.count,
            pairs.count == 4096
        else { return }
        var bytes = buffer.mutableSpan
        var source = room.upperBound - count
        var target = room.lowerBound
        // Fourteen bytes are read for twelve, and the text must not overwrite bytes that are still to be read.
        let groups = min(max(count - 2, 0) / 12, (room.count - count) / 4)
        for _ in 0..<groups {
            let words = bytes.span.words(at: source, stride: 6)
            let text = (characters(words.0.byteSwapped, pairs), characters(words.1.byteSwapped, pairs))
            bytes.store(text, at: target, stride: 8)
            source &+= 12
            target &+= 16
        }
        // A character for six bits of the rest; zero bits complete the last one.
        var bits: UInt32 = 0
        var count = 0
        while target < room.upperBound {
            if count < 6 {
                bits = bits << 8 | (source < room.upperBound ? UInt32(bytes[source]) : 0)
                source += 1
                count += 8
            }
            count -= 6
            bytes[target] = UInt8(pairs[Int(bits >> count & 63)] >> 8)
            target += 1
        }
    }

    /// Returns the eight characters of the highest 48 bits of a word.
    @inline(__always)
    private static func characters(_ word: UInt64, _ pairs: Span<UInt16>) -> UInt64 {
        let low = UInt64(pairs[Int(word >> 52)]) | UInt64(pairs[Int(word >> 40 & 0xFFF)]) << 16
        return low | UInt64(pairs[Int(word >> 28 & 0xFFF)]) << 32 | UInt64(pairs[Int(word >> 16 & 0xFFF)]) << 48
    }

    /// Returns the text for some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        let length = encodedLength(bytes.count)
        var buffer = [UInt8](repeating: 0, count: length - bytes.count) + bytes
        encode(inPlace: &buffer, room: 0..<length, count: bytes.count)
        return String(decoding: buffer, as: UTF8.self)
    }

    // MARK: Decoding

    /// Returns the bytes of a text, without padding, white space, other alphabets or bits behind the last byte.
    ///
    /// - Throws: ``PushCryptError`` with `malformedBase64`.
    package static func decode(_ text: Span<UInt8>) throws(PushCryptError) -> [UInt8] {
        let table = contributions.span
        guard text.count % 4 != 1, table.count == 8 * 256 else { throw malformed("its length is impossible") }
        // Two bytes more than there are, because whole words are written.
        var result = [UInt8](repeating: 0, count: capacity(text.count) + 2)
        var bytes = result.mutableSpan
        var source = 0
        var target = 0
        var seen: UInt64 = 0
        while text.count &- source >= 16 {
            let words = text.words(at: source, stride: 8)
            let groups = (bits(words.0, table), bits(words.1, table))
            seen |= groups.0 | groups.1
            bytes.store(groups, at: target, stride: 6)
            source &+= 16
            target &+= 12
        }
        // Up to fifteen characters are left, in groups of up to eight.
        var bits: UInt64 = 0
        while source < text.count {
            let count = min(text.count - source, 8)
            bits = 0
            for position in 0..<count { bits |= table[position * 256 + Int(text[source + position])] }
            seen |= bits
            for index in 0..<capacity(count) {
                bytes[target] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))
                target += 1
            }
            source += count
        }
        guard seen < invalid else { throw malformed("it has a character outside of A–Z, a–z, 0–9, - and _") }
        let rest = capacity(text.count % 8)
        guard rest == 0 || bits >> UInt64(8 * rest) == 0 else {
            throw malformed("its last character has bits that belong to no byte")
        }
        result.removeLast(2)
        return result
    }

    /// Returns the six bytes of eight characters in the lowest bits, the first in the lowest; ``invalid`` or more if a
    /// character is outside of the alphabet.
    @inline(__always)
    private static func bits(_ word: UInt64, _ table: Span<UInt64>) -> UInt64 {
        let low =
            table[Int(word & 0xFF)] | table[256 &+ Int(word >> 8 & 0xFF)] | table[512 &+ Int(word >> 16 & 0xFF)]
            | table[768 &+ Int(word >> 24 & 0xFF)]
        return low | table[1024 &+ Int(word >> 32 & 0xFF)] | table[1280 &+ Int(word >> 40 & 0xFF)]
            | table[1536 &+ Int(word >> 48 & 0xFF)] | table[1792 &+ Int(word >> 56)]
    }

    private static func malformed(_ what: String) -> PushCryptError {
        PushCryptError(.malformedBase64, "The text is not base64url without padding (RFC 4648 §5): \(what).")
    }
}

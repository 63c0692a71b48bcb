extension Base64URL {
    /// The contribution of a character to the six bytes of its group, for each of the eight
    /// positions in the group.
    ///
    /// The bytes are in the low 48 bits in the order of memory, so a group is eight lookups and one
    /// store. The upper bits are set for bytes outside of the alphabet.
    private static let contributions: [UInt64] = {
        var table = [UInt64](repeating: invalid, count: groupCharacters * 256)
        for (value, character) in alphabet.enumerated() {
            for position in 0..<groupCharacters {
                let shift = UInt64(58 - 6 * position)
                table[position * 256 + Int(character)] = (UInt64(value) << shift).byteSwapped
            }
        }
        return table
    }()

    private static let invalid: UInt64 = 0xFFFF_0000_0000_0000

    /// Returns the bytes of an encoding, without padding, white space, other alphabets or bits
    /// after the last byte.
    ///
    /// - Throws: ``PushCryptError`` with `malformedBase64`.
    package static func decode(_ text: Span<UInt8>) throws(PushCryptError) -> [UInt8] {
        let table = contributions.span
        guard text.count % 4 != 1, table.count == groupCharacters * 256 else {
            throw malformed("its length is impossible")
        }
        // Two more bytes, because each group writes a whole word.
        var result = [UInt8](repeating: 0, count: capacity(text.count) + 2)
        var bytes = result.mutableSpan
        var source = 0
        var target = 0
        var seen: UInt64 = 0
        while text.count &- source >= 2 * groupCharacters {
            let words = text.words(at: source, stride: groupCharacters)
            let first = bits(words.first, table)
            let second = bits(words.second, table)
            seen |= first | second
            bytes.store(WordPair(first: first, second: second), at: target, stride: groupBytes)
            source &+= 2 * groupCharacters
            target &+= 2 * groupBytes
        }
        var unused: UInt64 = 0
        while source < text.count {
            let count = min(text.count - source, groupCharacters)
            let bits = bits(text, in: source..<(source + count), table)
            seen |= bits
            for index in 0..<capacity(count) {
                bytes[target] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))
                target += 1
            }
            unused = bits >> UInt64(8 * capacity(count))
            source += count
        }
        guard seen < invalid else {
            throw malformed("it has a character outside of A–Z, a–z, 0–9, - and _")
        }
        guard unused == 0 else { throw malformed("its last character has unused bits") }
        result.removeLast(2)
        return result
    }

    /// Returns the six bytes of eight characters in the lowest bits; ``invalid`` or more if a
    /// character is outside of the alphabet.
    ///
    /// The first character and the first byte are in the lowest bits.
    @inline(__always)
    private static func bits(_ word: UInt64, _ table: Span<UInt64>) -> UInt64 {
        let low =
            table[Int(word & 0xFF)] | table[256 &+ Int(word >> 8 & 0xFF)]
            | table[512 &+ Int(word >> 16 & 0xFF)]
            | table[768 &+ Int(word >> 24 & 0xFF)]
        return low | table[1024 &+ Int(word >> 32 & 0xFF)] | table[1280 &+ Int(word >> 40 & 0xFF)]
            | table[1536 &+ Int(word >> 48 & 0xFF)] | table[1792 &+ Int(word >> 56)]
    }

    /// Returns the bytes of up to eight characters in the lowest bits, as ``bits(_:_:)`` does.
    private static func bits(_ text: Span<UInt8>, in range: Range<Int>, _ table: Span<UInt64>)
        -> UInt64
    {
        var bits: UInt64 = 0
        for (position, index) in range.enumerated() {
            bits |= table[position * 256 + Int(text[index])]
        }
        return bits
    }

    private static func malformed(_ what: String) -> PushCryptError {
        PushCryptError(
            .malformedBase64, "The text is not base64url without padding (RFC 4648 §5): \(what).")
    }
}

/// Base64url without padding (RFC 4648 §5), strict: there is one spelling for every byte string.
///
/// Tables make it fast, and a table's index shows in the processor's cache, so this is for what is public: envelopes,
/// public keys, identifiers. Private keys go through ``SecretBase64``.
package enum Base64URL {
    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The two characters for each 12 bits, the first in the low byte.
    private static let characterPairs: [UInt16] = (0..<4096).map { bits in
        UInt16(alphabet[bits >> 6]) | UInt16(alphabet[bits & 63]) << 8
    }

    /// For each of the four places in a group, what a character contributes to its 24 bits; `invalid` for no character
    /// of the alphabet.
    private static let contributions: [UInt32] = {
        var table = [UInt32](repeating: invalid, count: 4 * 256)
        for (value, character) in alphabet.enumerated() {
            for place in 0..<4 { table[place * 256 + Int(character)] = UInt32(value) << UInt32(18 - 6 * place) }
        }
        return table
    }()

    private static let invalid: UInt32 = 0xFF00_0000

    // MARK: Encoding

    /// How many characters some bytes take.
    package static func encodedLength(_ count: Int) -> Int {
        (count * 4 + 2) / 3
    }

    /// How many bytes fit into some characters.
    package static func capacity(_ characters: Int) -> Int {
        characters * 3 / 4
    }

    /// Encodes bytes in place.
    ///
    /// The bytes stand at the end of the room that their text will fill. Encoding runs forwards, three bytes to four
    /// characters, and so writes behind where it reads until both arrive at the end: no second buffer is needed.
    ///
    /// - Parameters:
    ///   - buffer: holds the bytes, gets the text.
    ///   - room: where the text goes; `encodedLength(count)` long.
    ///   - count: how many bytes there are at the end of `room`.
    package static func encode(inPlace buffer: inout [UInt8], room: Range<Int>, count: Int) {
        let pairs = characterPairs.span
        guard room.count == encodedLength(count), room.upperBound <= buffer.count, pairs.count == 4096 else { return }
        var bytes = buffer.mutableSpan
        var source = room.upperBound - count
        var target = room.lowerBound
        // Both conditions hold whenever the first does; spelt out, they let the compiler drop seven checks of bounds.
        while source >= 0, target >= 0, room.upperBound &- source >= 3, bytes.count &- source >= 3,
            bytes.count &- target >= 4
        {
            let group = UInt32(bytes[source]) << 16 | UInt32(bytes[source &+ 1]) << 8 | UInt32(bytes[source &+ 2])
            let first = pairs[Int(group >> 12)]
            let second = pairs[Int(group & 0xFFF)]
            bytes[target] = UInt8(truncatingIfNeeded: first)
            bytes[target &+ 1] = UInt8(truncatingIfNeeded: first >> 8)
            bytes[target &+ 2] = UInt8(truncatingIfNeeded: second)
            bytes[target &+ 3] = UInt8(truncatingIfNeeded: second >> 8)
            source &+= 3
            target &+= 4
        }
        switch room.upperBound - source {
        case 1:
            let pair = pairs[Int(bytes[source]) << 4]
            bytes[target] = UInt8(truncatingIfNeeded: pair)
            bytes[target + 1] = UInt8(truncatingIfNeeded: pair >> 8)
        case 2:
            let bits = Int(bytes[source]) << 10 | Int(bytes[source + 1]) << 2
            let pair = pairs[bits >> 6]
            bytes[target] = UInt8(truncatingIfNeeded: pair)
            bytes[target + 1] = UInt8(truncatingIfNeeded: pair >> 8)
            bytes[target + 2] = UInt8(truncatingIfNeeded: pairs[bits & 63] >> 8)
        default:
            break
        }
    }

    /// The text for some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        let length = encodedLength(bytes.count)
        var buffer = [UInt8](repeating: 0, count: length - bytes.count) + bytes
        encode(inPlace: &buffer, room: 0..<length, count: bytes.count)
        return String(decoding: buffer, as: UTF8.self)
    }

    // MARK: Decoding

    /// The bytes of a text: refuses padding, white space, the other alphabet, and last characters with bits that belong
    /// to no byte.
    ///
    /// - Throws: ``PushCryptError`` with `malformedBase64`.
    package static func decode(_ text: Span<UInt8>) throws(PushCryptError) -> [UInt8] {
        let table = contributions.span
        guard text.count % 4 != 1, table.count == 1024 else { throw malformed("its length is impossible") }
        var result = [UInt8](repeating: 0, count: capacity(text.count))
        var bytes = result.mutableSpan
        var source = 0
        var target = 0
        var seen: UInt32 = 0
        while source >= 0, target >= 0, text.count &- source >= 8, bytes.count &- target >= 6 {
            let group = text.extracting(source..<(source &+ 8))
            let first =
                table[Int(group[0])] | table[256 &+ Int(group[1])] | table[512 &+ Int(group[2])]
                | table[768 &+ Int(group[3])]
            let second =
                table[Int(group[4])] | table[256 &+ Int(group[5])] | table[512 &+ Int(group[6])]
                | table[768 &+ Int(group[7])]
            seen |= first | second
            bytes[target] = UInt8(truncatingIfNeeded: first >> 16)
            bytes[target &+ 1] = UInt8(truncatingIfNeeded: first >> 8)
            bytes[target &+ 2] = UInt8(truncatingIfNeeded: first)
            bytes[target &+ 3] = UInt8(truncatingIfNeeded: second >> 16)
            bytes[target &+ 4] = UInt8(truncatingIfNeeded: second >> 8)
            bytes[target &+ 5] = UInt8(truncatingIfNeeded: second)
            source &+= 8
            target &+= 6
        }
        // Up to seven characters are left: one whole group perhaps, then two or three characters for one or two bytes.
        while source < text.count {
            var bits: UInt32 = 0
            let places = min(4, text.count - source)
            for place in 0..<places { bits |= table[place * 256 + Int(text[source + place])] }
            seen |= bits
            let whole = places * 3 / 4
            for index in 0..<whole {
                bytes[target + index] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index))
            }
            guard bits & (0x00FF_FFFF >> UInt32(8 * whole)) == 0 || seen >= invalid else {
                throw malformed("its last character has bits that belong to no byte")
            }
            source += places
            target += whole
        }
        guard seen < invalid else {
            throw malformed("it has a character outside of A–Z, a–z, 0–9, - and _")
        }
        return result
    }

    private static func malformed(_ what: String) -> PushCryptError {
        PushCryptError(.malformedBase64, "The text is not base64url without padding (RFC 4648 §5): \(what).")
    }
}

/// The bytes of an input, from its start.
struct InputReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    /// Takes a byte; 0 at the end.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Takes an integer of two bytes.
    mutating func short() -> Int { Int(byte()) << 8 | Int(byte()) }

    /// Takes the bytes up to a line feed, which is removed.
    mutating func line() -> [UInt8] {
        let line = Array(rest.prefix { $0 != UInt8(ascii: "\n") })
        rest = rest.dropFirst(line.count + 1)
        return line
    }

    /// Returns bytes after the edits that the rest of the input describes, each an offset and a
    /// mask of bits.
    ///
    /// The last edit can cut off the end.
    mutating func edited(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        while rest.count >= 3, !bytes.isEmpty {
            let offset = short() % bytes.count
            let mask = byte()
            if mask == 0, rest.isEmpty {
                bytes.removeLast(bytes.count - offset)
            } else {
                bytes[offset] ^= mask
            }
        }
        return bytes
    }
}

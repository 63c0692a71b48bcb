/// Walks through scanned JSON, value by value.
package struct JSONWalk {
    /// A value that has no others in it: a string, number, Boolean or `null`, or an empty object or array.
    package struct Leaf {
        /// The names that lead to it; in arrays, numbers from 0.
        package let path: [String]
        /// What it is.
        package let kind: JSONDocument.Kind
        /// Where it is.
        package let value: Range<Int>
    }

    private var position = 0
    private var path: [String] = []
    private var leaves: [Leaf] = []

    /// All leaves of a scanned text, in its order.
    ///
    /// - Parameter bytes: text that was scanned: what is no JSON, or nested deeper than the scanner allows, is not
    ///   expected here.
    /// - Returns: the leaves.
    package static func leaves(of bytes: Span<UInt8>) -> [Leaf] {
        var walk = JSONWalk()
        walk.value(bytes)
        return walk.leaves
    }

    private mutating func value(_ bytes: Span<UInt8>) {
        skip(bytes)
        guard position < bytes.count else { return }
        let start = position
        let kind = JSONDocument.kind(at: start, in: bytes)
        var isEmpty = true
        switch kind {
        case .object: isEmpty = !object(bytes)
        case .array: isEmpty = !array(bytes)
        case .string: position = JSONText.end(of: bytes, from: start)
        case .number, .boolean, .null: word(bytes)
        }
        if isEmpty { leaves.append(Leaf(path: path, kind: kind, value: start..<position)) }
    }

    /// Walks through an object and returns whether there was anything in it.
    private mutating func object(_ bytes: Span<UInt8>) -> Bool {
        position += 1
        var count = 0
        while next(bytes, until: UInt8(ascii: "}")) {
            let end = JSONText.end(of: bytes, from: position)
            path.append(String(decoding: JSONText.decoded(bytes, (position + 1)..<(end - 1)), as: UTF8.self))
            position = end
            skip(bytes)
            position += 1
            value(bytes)
            path.removeLast()
            count += 1
        }
        return count > 0
    }

    private mutating func array(_ bytes: Span<UInt8>) -> Bool {
        position += 1
        var count = 0
        while next(bytes, until: UInt8(ascii: "]")) {
            path.append("\(count)")
            value(bytes)
            path.removeLast()
            count += 1
        }
        return count > 0
    }

    /// Goes to the next element; behind the end, and `false`, where there is none.
    private mutating func next(_ bytes: Span<UInt8>, until end: UInt8) -> Bool {
        skip(bytes)
        if position < bytes.count, bytes[position] == UInt8(ascii: ",") {
            position += 1
            skip(bytes)
        }
        guard position < bytes.count, bytes[position] != end else {
            position += 1
            return false
        }
        return true
    }

    private mutating func word(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0...0x20: return
            default: position += 1
            }
        }
    }

    private mutating func skip(_ bytes: Span<UInt8>) {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }
}

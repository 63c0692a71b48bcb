/// The strict parser of JSON for the sender and the receiver (RFC 8259).
///
/// Foundation's parsers accept trailing commas, a byte order mark, UTF-16 and duplicate names, and disagree about them.
/// JSON that passes this parser means the same to every other parser.
struct JSONScanner: ~Escapable {
    /// The deepest nesting of objects and arrays.
    static let maximumDepth = 64

    /// The number of members up to which each name is compared with all earlier ones.
    ///
    /// The names of a larger object are sorted, so that the time stays below quadratic.
    static let manyMembers = 24

    let bytes: Span<UInt8>
    var position = 0
    private var values: [JSONDocument.Value] = []
    private var whitespace = 0

    @_lifetime(copy bytes)
    private init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        values.reserveCapacity(min(bytes.count / 8 + 1, 32))
    }

    /// Scans one JSON object with nothing but white space around it.
    static func scan(_ bytes: Span<UInt8>) throws(JSONProblem) -> JSONDocument {
        var scanner = JSONScanner(bytes)
        try scanner.scanDocument()
        return JSONDocument(values: scanner.values, whitespace: scanner.whitespace)
    }

    private mutating func scanDocument() throws(JSONProblem) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { throw problem(.byteOrderMark) }
        // Offsets have 32 bits.
        guard bytes.count <= Int(Int32.max) else { throw JSONProblem(offset: Int(Int32.max), what: .tooLong) }
        skipWhitespace()
        guard byte == UInt8(ascii: "{") else { throw problem(.notAnObject) }
        try scanContainer(JSONDocument.Key(), .object, depth: 1)
        skipWhitespace()
        guard position == bytes.count else { throw problem(.trailingBytes) }
    }

    /// Returns a problem at the current position, which is the end of the text if nothing is left.
    func problem(_ what: JSONProblem.Kind) -> JSONProblem {
        JSONProblem(offset: position, what: position < bytes.count ? what : .unexpectedEnd)
    }

    /// The current byte; 0, which begins no token, at the end of the text.
    var byte: UInt8 {
        @inline(__always) get { position < bytes.count ? bytes[position] : 0 }
    }

    @inline(__always)
    private mutating func skipWhitespace() {
        while byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position &+= 1
            whitespace &+= 1
        }
    }

    // MARK: Objects and arrays

    private mutating func scanContainer(
        _ name: JSONDocument.Key, _ kind: JSONDocument.Kind, depth: Int
    ) throws(JSONProblem) {
        guard depth <= Self.maximumDepth else { throw problem(.tooDeep) }
        let index = values.count
        append(name, kind, from: position)
        let closing = kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
        position &+= 1
        skipWhitespace()
        var count = 0
        while byte != closing || count > 0 {
            if kind == .object {
                try scanMember(of: index, count, depth: depth)
            } else {
                try scanValue(JSONDocument.Key(), depth: depth)
            }
            count &+= 1
            skipWhitespace()
            if byte == closing { break }
            guard byte == UInt8(ascii: ",") else {
                throw problem(kind == .object ? .expectedCommaOrBrace : .expectedCommaOrBracket)
            }
            position &+= 1
            skipWhitespace()
        }
        values[index].next = Int32(truncatingIfNeeded: values.count)
        if kind == .object, count > Self.manyMembers { try refuseDuplicates(in: index) }
        position &+= 1
        values[index].end = Int32(truncatingIfNeeded: position)
    }

    private mutating func scanMember(of object: Int, _ count: Int, depth: Int) throws(JSONProblem) {
        guard byte == UInt8(ascii: "\"") else { throw problem(.expectedKey) }
        position &+= 1
        var name = JSONDocument.Key(start: Int32(truncatingIfNeeded: position))
        name.hasEscapes = try scanString()
        name.end = Int32(truncatingIfNeeded: position &- 1)
        if count < Self.manyMembers { try refuseDuplicate(name, in: object) }
        skipWhitespace()
        guard byte == UInt8(ascii: ":") else { throw problem(.expectedColon) }
        position &+= 1
        skipWhitespace()
        try scanValue(name, depth: depth)
    }

    /// Compares a name with those of the members before it.
    private func refuseDuplicate(_ name: JSONDocument.Key, in object: Int) throws(JSONProblem) {
        var sibling = object &+ 1
        while sibling < values.count {
            let other = values[sibling]
            if isEqual(other.key, name) {
                throw JSONProblem(offset: Int(name.start) &- 1, what: .duplicateKey)
            }
            sibling = Int(other.next)
        }
    }

    private func isEqual(_ one: JSONDocument.Key, _ other: JSONDocument.Key) -> Bool {
        if one.hasEscapes || other.hasEscapes {
            return JSONText.decoded(bytes, one.range) == JSONText.decoded(bytes, other.range)
        }
        guard one.end &- one.start == other.end &- other.start else { return false }
        for offset in 0..<Int(one.end &- one.start)
        where bytes[Int(one.start) &+ offset] != bytes[Int(other.start) &+ offset] {
            return false
        }
        return true
    }

    /// Compares the sorted names of an object with many members and reports the first duplicate in the text.
    ///
    /// The names themselves are sorted: an attacker can choose any number of names with the same hash.
    private func refuseDuplicates(in object: Int) throws(JSONProblem) {
        var names: [(text: [UInt8], start: Int)] = []
        var index = object + 1
        while index < values.count {
            let name = values[index].key
            names.append((JSONText.decoded(bytes, name.range), Int(name.start) - 1))
            index = Int(values[index].next)
        }
        names.sort { one, other in
            one.text == other.text ? one.start < other.start : one.text.lexicographicallyPrecedes(other.text)
        }
        let duplicates = zip(names, names.dropFirst()).filter { $0.text == $1.text }
        if let first = duplicates.map(\.1.start).min() { throw JSONProblem(offset: first, what: .duplicateKey) }
    }

    // MARK: Values

    private mutating func scanValue(_ name: JSONDocument.Key, depth: Int) throws(JSONProblem) {
        let start = position
        let kind: JSONDocument.Kind
        switch byte {
        case UInt8(ascii: "\""):
            position &+= 1
            _ = try scanString()
            kind = .string
        case UInt8(ascii: "{"): return try scanContainer(name, .object, depth: depth &+ 1)
        case UInt8(ascii: "["): return try scanContainer(name, .array, depth: depth &+ 1)
        case UInt8(ascii: "t"):
            try scanWord("true")
            kind = .boolean
        case UInt8(ascii: "f"):
            try scanWord("false")
            kind = .boolean
        case UInt8(ascii: "n"):
            try scanWord("null")
            kind = .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try scanNumber()
            kind = .number
        default:
            throw problem(.expectedValue)
        }
        append(name, kind, from: start)
    }

    @inline(__always)
    private mutating func append(_ name: JSONDocument.Key, _ kind: JSONDocument.Kind, from start: Int) {
        let index = values.count
        values.append(
            JSONDocument.Value(
                key: name, kind: kind, start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: position), index: Int32(truncatingIfNeeded: index),
                next: Int32(truncatingIfNeeded: index &+ 1)))
    }

    private mutating func scanWord(_ word: String) throws(JSONProblem) {
        for expected in word.utf8 {
            guard byte == expected else { throw problem(.expectedValue) }
            position &+= 1
        }
    }

    private mutating func scanNumber() throws(JSONProblem) {
        if byte == UInt8(ascii: "-") { position &+= 1 }
        if byte == UInt8(ascii: "0") {
            position &+= 1
            if isDigit { throw problem(.malformedNumber) }
        } else {
            try scanDigits()
        }
        if byte == UInt8(ascii: ".") {
            position &+= 1
            try scanDigits()
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position &+= 1 }
            try scanDigits()
        }
    }

    /// Scans one or more digits.
    private mutating func scanDigits() throws(JSONProblem) {
        guard isDigit else { throw problem(.malformedNumber) }
        repeat { position &+= 1 } while isDigit
    }

    private var isDigit: Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}

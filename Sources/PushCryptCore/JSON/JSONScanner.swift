/// The strict parser of JSON for the sender and the receiver (RFC 8259).
///
/// Foundation's parsers accept trailing commas, a byte order mark, UTF-16 and duplicate names, and
/// disagree about them. Another parser that follows RFC 8259 finds the same members and strings.
/// Numbers may lose precision there.
struct JSONScanner: ~Escapable {
    /// The number of members beyond which the names are sorted, so that the time stays below
    /// quadratic.
    static let manyMembers = 24

    let bytes: Span<UInt8>
    private let maximumDepth: Int
    var position = 0
    private(set) var values: [JSONDocument.Value] = []
    private(set) var whitespace = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ maximumDepth: Int = JSONDocument.maximumDepth) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        values.reserveCapacity(min(bytes.count / 8 + 1, 32))
    }

    /// Scans one JSON object with nothing but white space around it.
    mutating func scanDocument() throws(JSONProblem) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw problem(.byteOrderMark)
        }
        if isUTF16 { throw problem(.isUTF16) }
        skipWhitespace()
        guard byte == UInt8(ascii: "{") else { throw problem(.notAnObject) }
        try scanContainer(.object, named: nil, hasEscapes: false, depth: 1)
        skipWhitespace()
        guard position == bytes.count else { throw problem(.trailingBytes) }
    }

    /// A Boolean value that indicates whether the text begins with a byte order mark or a brace in
    /// UTF-16.
    private var isUTF16: Bool {
        guard bytes.count >= 2 else { return false }
        switch UInt16(bytes[0]) << 8 | UInt16(bytes[1]) {
        case 0xFEFF, 0xFFFE, 0x007B, 0x7B00: return true
        default: return false
        }
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
        while JSONText.isWhitespace(byte) {
            position &+= 1
            whitespace &+= 1
        }
    }

    // MARK: Objects and arrays

    private mutating func scanContainer(
        _ kind: JSONDocument.Kind, named name: Range<Int>?, hasEscapes: Bool, depth: Int
    ) throws(JSONProblem) {
        guard depth <= maximumDepth else { throw problem(.tooDeep) }
        let start = position
        let index = values.count
        append(kind, from: start, named: name, hasEscapes: hasEscapes)
        let closing = kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
        position &+= 1
        skipWhitespace()
        var count = 0
        while byte != closing || count > 0 {
            if kind == .object {
                try scanMember(of: index, count, depth: depth)
            } else {
                try scanValue(named: nil, hasEscapes: false, depth: depth)
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
        position &+= 1
        values[index].next = values.count
        values[index].range = start..<position
        if kind == .object, count > Self.manyMembers { try refuseDuplicates(in: index) }
    }

    private mutating func scanMember(of object: Int, _ count: Int, depth: Int) throws(JSONProblem) {
        guard byte == UInt8(ascii: "\"") else { throw problem(.expectedKey) }
        let start = position &+ 1
        let hasEscapes = try scanString()
        let name = start..<(position &- 1)
        if count < Self.manyMembers {
            try refuseDuplicate(of: name, hasEscapes: hasEscapes, in: object)
        }
        skipWhitespace()
        guard byte == UInt8(ascii: ":") else { throw problem(.expectedColon) }
        position &+= 1
        skipWhitespace()
        try scanValue(named: name, hasEscapes: hasEscapes, depth: depth)
    }

    /// Compares a name with the names of the members before it.
    private func refuseDuplicate(of name: Range<Int>, hasEscapes: Bool, in object: Int)
        throws(JSONProblem)
    {
        var sibling = object &+ 1
        while sibling < values.count {
            let isEqual =
                hasEscapes || values[sibling].nameHasEscapes
                ? decodedName(sibling) == JSONText.decoded(bytes, name)
                : hasBytes(values[sibling].name, name)
            if isEqual { throw JSONProblem(offset: name.lowerBound &- 1, what: .duplicateKey) }
            sibling = values[sibling].next
        }
    }

    private func hasBytes(_ one: Range<Int>?, _ other: Range<Int>) -> Bool {
        guard let one, one.count == other.count else { return false }
        for offset in 0..<one.count
        where bytes[one.lowerBound &+ offset] != bytes[other.lowerBound &+ offset] { return false }
        return true
    }

    private func decodedName(_ index: Int) -> [UInt8] {
        values[index].name.map { JSONText.decoded(bytes, $0) } ?? []
    }

    /// Compares the sorted names of an object with many members and reports the first duplicate in
    /// the text.
    ///
    /// The names themselves are sorted: an attacker can choose any number of names with the same
    /// hash.
    private func refuseDuplicates(in object: Int) throws(JSONProblem) {
        var names: [(text: [UInt8], start: Int)] = []
        var index = object + 1
        while index < values.count {
            names.append((decodedName(index), values[index].name?.lowerBound ?? 0))
            index = values[index].next
        }
        names.sort { one, other in
            one.text == other.text
                ? one.start < other.start : one.text.lexicographicallyPrecedes(other.text)
        }
        let duplicates = zip(names, names.dropFirst()).filter { $0.text == $1.text }
        if let first = duplicates.map(\.1.start).min() {
            throw JSONProblem(offset: first - 1, what: .duplicateKey)
        }
    }

    // MARK: Values

    private mutating func scanValue(named name: Range<Int>?, hasEscapes: Bool, depth: Int)
        throws(JSONProblem)
    {
        let start = position
        let kind: JSONDocument.Kind
        switch byte {
        case UInt8(ascii: "{"):
            return try scanContainer(
                .object, named: name, hasEscapes: hasEscapes, depth: depth &+ 1)
        case UInt8(ascii: "["):
            return try scanContainer(.array, named: name, hasEscapes: hasEscapes, depth: depth &+ 1)
        case UInt8(ascii: "\""):
            kind = .string
            _ = try scanString()
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            kind = .boolean
            try scanWord(byte == UInt8(ascii: "t") ? "true" : "false")
        case UInt8(ascii: "n"):
            kind = .null
            try scanWord("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            kind = .number
            try scanNumber()
        default:
            throw problem(.expectedValue)
        }
        append(kind, from: start, named: name, hasEscapes: hasEscapes)
    }

    @inline(__always)
    private mutating func append(
        _ kind: JSONDocument.Kind, from start: Int, named name: Range<Int>?, hasEscapes: Bool
    ) {
        let index = values.count
        values.append(
            JSONDocument.Value(
                name: name, nameHasEscapes: hasEscapes, kind: kind, range: start..<position,
                index: index,
                next: index &+ 1))
    }

    private mutating func scanWord(_ word: String) throws(JSONProblem) {
        for expected in word.utf8 {
            guard byte == expected else { throw problem(.expectedValue) }
            position &+= 1
        }
    }

    /// Returns `true` if bytes are one number, and nothing else.
    static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        var scanner = JSONScanner(bytes)
        do {
            try scanner.scanNumber()
        } catch {
            return false
        }
        return scanner.position == bytes.count
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

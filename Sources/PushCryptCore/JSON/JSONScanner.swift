/// The one strict reader of JSON, on both sides (RFC 8259).
///
/// Foundation's decoders accept what this refuses (trailing commas, a byte order mark, UTF-16, duplicate names), and do
/// not agree with each other on what it means: `JSONDecoder` takes the first of two members with one name,
/// `JSONSerialization` the last. What passes here means the same to every reader, and only then do they get to see it.
struct JSONScanner {
    /// How deep objects and arrays may be nested.
    static let maximumDepth = 64

    /// Up to this many members an object's names are compared with each other as they come, which is fast for the few
    /// that payloads have; from there on they are sorted, so that many names cannot take quadratic time.
    static let manyMembers = 24

    var document = JSONDocument()
    var position = 0
    private var objects: Int32 = 0

    /// Scans one whole JSON object, with nothing but white space around it.
    static func scan(_ bytes: Span<UInt8>) throws(JSONProblem) -> JSONDocument {
        var scanner = JSONScanner()
        scanner.document.members.reserveCapacity(16)
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw JSONProblem(offset: 0, what: .byteOrderMark)
        }
        // Offsets are kept in 32 bits; no payload or key comes near.
        guard bytes.count <= Int(Int32.max) else { throw JSONProblem(offset: Int(Int32.max), what: .tooLong) }
        scanner.skipWhitespace(bytes)
        guard let first = scanner.peek(bytes) else { throw scanner.problem(.unexpectedEnd) }
        guard first == UInt8(ascii: "{") else { throw scanner.problem(.notAnObject) }
        _ = try scanner.scanObject(bytes, depth: 1)
        scanner.skipWhitespace(bytes)
        guard scanner.position == bytes.count else { throw scanner.problem(.trailingBytes) }
        return scanner.document
    }

    func problem(_ what: JSONProblem.Kind) -> JSONProblem {
        JSONProblem(offset: position, what: what)
    }

    @inline(__always)
    func peek(_ bytes: Span<UInt8>) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    @inline(__always)
    private mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position &+= 1
            document.whitespace &+= 1
        }
    }

    // MARK: Values

    /// Scans a value and returns its object number, or −1 where it is no object.
    private mutating func scanValue(_ bytes: Span<UInt8>, depth: Int) throws(JSONProblem) -> Int32 {
        guard let first = peek(bytes) else { throw problem(.unexpectedEnd) }
        switch first {
        case UInt8(ascii: "\""):
            position &+= 1
            _ = try scanString(bytes)
        case UInt8(ascii: "{"):
            return try scanObject(bytes, depth: depth + 1)
        case UInt8(ascii: "["):
            try scanArray(bytes, depth: depth + 1)
        case UInt8(ascii: "t"):
            try scanWord(bytes, "true")
        case UInt8(ascii: "f"):
            try scanWord(bytes, "false")
        case UInt8(ascii: "n"):
            try scanWord(bytes, "null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try scanNumber(bytes)
        default:
            throw problem(.expectedValue)
        }
        return -1
    }

    private mutating func scanObject(_ bytes: Span<UInt8>, depth: Int) throws(JSONProblem) -> Int32 {
        guard depth <= Self.maximumDepth else { throw problem(.tooDeep) }
        let object = objects
        objects &+= 1
        position &+= 1
        skipWhitespace(bytes)
        if peek(bytes) == UInt8(ascii: "}") {
            position &+= 1
            return object
        }
        var last: Int32 = -1
        var count = 0
        while true {
            last = try scanMember(bytes, of: object, after: last, count: count, depth: depth)
            count &+= 1
            skipWhitespace(bytes)
            guard let next = peek(bytes) else { throw problem(.unexpectedEnd) }
            if next == UInt8(ascii: "}") { break }
            guard next == UInt8(ascii: ",") else { throw problem(.expectedCommaOrBrace) }
            position &+= 1
            skipWhitespace(bytes)
        }
        if count > Self.manyMembers { try refuseDuplicates(bytes, endingAt: last) }
        position &+= 1
        return object
    }

    private mutating func scanMember(
        _ bytes: Span<UInt8>, of object: Int32, after previous: Int32, count: Int, depth: Int
    ) throws(JSONProblem) -> Int32 {
        guard let quote = peek(bytes) else { throw problem(.unexpectedEnd) }
        guard quote == UInt8(ascii: "\"") else { throw problem(.expectedKey) }
        position &+= 1
        let keyStart = position
        let escapes = try scanString(bytes)
        let key = keyStart..<(position &- 1)
        var member = JSONDocument.Member(
            object: object, keyStart: Int32(truncatingIfNeeded: key.lowerBound),
            keyEnd: Int32(truncatingIfNeeded: key.upperBound), keyHasEscapes: escapes,
            hash: escapes ? Self.hash(JSONText.decoded(bytes, key).span) : Self.hash(bytes.extracting(key)),
            previous: previous)
        if count < Self.manyMembers {
            var sibling = previous
            while sibling >= 0 {
                let other = document.members[Int(sibling)]
                if other.hash == member.hash, Self.haveSameName(other, member, in: bytes) {
                    throw JSONProblem(offset: keyStart &- 1, what: .duplicateKey)
                }
                sibling = other.previous
            }
        }
        skipWhitespace(bytes)
        guard let colon = peek(bytes) else { throw problem(.unexpectedEnd) }
        guard colon == UInt8(ascii: ":") else { throw problem(.expectedColon) }
        position &+= 1
        skipWhitespace(bytes)
        member.valueStart = Int32(truncatingIfNeeded: position)
        member.valueObject = try scanValue(bytes, depth: depth)
        member.valueEnd = Int32(truncatingIfNeeded: position)
        document.members.append(member)
        return Int32(truncatingIfNeeded: document.members.count &- 1)
    }

    private mutating func scanArray(_ bytes: Span<UInt8>, depth: Int) throws(JSONProblem) {
        guard depth <= Self.maximumDepth else { throw problem(.tooDeep) }
        position &+= 1
        skipWhitespace(bytes)
        if peek(bytes) == UInt8(ascii: "]") {
            position &+= 1
            return
        }
        while true {
            _ = try scanValue(bytes, depth: depth)
            skipWhitespace(bytes)
            guard let next = peek(bytes) else { throw problem(.unexpectedEnd) }
            position &+= 1
            if next == UInt8(ascii: "]") { return }
            guard next == UInt8(ascii: ",") else {
                position &-= 1
                throw problem(.expectedCommaOrBracket)
            }
            skipWhitespace(bytes)
        }
    }

    private mutating func scanWord(_ bytes: Span<UInt8>, _ word: StaticString) throws(JSONProblem) {
        for expected in word.description.utf8 {
            guard let byte = peek(bytes) else { throw problem(.unexpectedEnd) }
            guard byte == expected else { throw problem(.expectedValue) }
            position &+= 1
        }
    }

    private mutating func scanNumber(_ bytes: Span<UInt8>) throws(JSONProblem) {
        if peek(bytes) == UInt8(ascii: "-") { position &+= 1 }
        if peek(bytes) == UInt8(ascii: "0") {
            position &+= 1
            if let next = peek(bytes), Self.isDigit(next) { throw problem(.malformedNumber) }
        } else {
            try scanDigits(bytes)
        }
        if peek(bytes) == UInt8(ascii: ".") {
            position &+= 1
            try scanDigits(bytes)
        }
        if let next = peek(bytes), next | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if let sign = peek(bytes), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position &+= 1 }
            try scanDigits(bytes)
        }
    }

    /// At least one digit.
    private mutating func scanDigits(_ bytes: Span<UInt8>) throws(JSONProblem) {
        guard let first = peek(bytes) else { throw problem(.unexpectedEnd) }
        guard Self.isDigit(first) else { throw problem(.malformedNumber) }
        while let next = peek(bytes), Self.isDigit(next) { position &+= 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}

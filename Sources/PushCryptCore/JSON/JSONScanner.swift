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
    private static let manyMembers = 24

    private var document = JSONDocument()
    private var position = 0
    private var objects: Int32 = 0

    /// Scans one whole JSON object, with nothing but white space around it.
    static func scan(_ bytes: Span<UInt8>) throws(JSONProblem) -> JSONDocument {
        var scanner = JSONScanner()
        scanner.document.members.reserveCapacity(16)
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw JSONProblem(offset: 0, what: .byteOrderMark)
        }
        scanner.skipWhitespace(bytes)
        guard let first = scanner.peek(bytes) else { throw scanner.problem(.unexpectedEnd) }
        guard first == UInt8(ascii: "{") else { throw scanner.problem(.notAnObject) }
        _ = try scanner.scanObject(bytes, depth: 1)
        scanner.skipWhitespace(bytes)
        guard scanner.position == bytes.count else { throw scanner.problem(.trailingBytes) }
        return scanner.document
    }

    private func problem(_ what: JSONProblem.Kind) -> JSONProblem {
        JSONProblem(offset: position, what: what)
    }

    @inline(__always)
    private func peek(_ bytes: Span<UInt8>) -> UInt8? {
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

    // MARK: Strings

    /// Scans the rest of a string after its opening quotation mark, the closing one included, and returns whether there
    /// are escapes in it.
    private mutating func scanString(_ bytes: Span<UInt8>) throws(JSONProblem) -> Bool {
        var escapes = false
        while true {
            position = Self.endOfPlainText(bytes, from: position)
            guard let byte = peek(bytes) else { throw problem(.unexpectedEnd) }
            if byte == UInt8(ascii: "\"") {
                position &+= 1
                return escapes
            }
            if byte == UInt8(ascii: "\\") {
                escapes = true
                try scanEscape(bytes)
            } else if byte >= 0x80 {
                try scanMultibyte(bytes)
            } else {
                throw problem(.controlCharacter)
            }
        }
    }

    /// The first place, from a place on, that is not plain ASCII text: a quotation mark, a backslash, a control
    /// character, a byte of a longer UTF-8 sequence, or the end.
    @inline(__always)
    static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while bytes.count &- position >= 16 {
            let low = stops(bytes.littleEndianWord(at: position))
            let high = stops(bytes.littleEndianWord(at: position &+ 8))
            if low != 0 { return position &+ low.trailingZeroBitCount / 8 }
            if high != 0 { return position &+ 8 &+ high.trailingZeroBitCount / 8 }
            position &+= 16
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            position &+= 1
        }
        return position
    }

    /// Eight bytes of text at a time: the top bit of a byte of the result is set where that byte of the word ends plain
    /// text.
    ///
    /// A difference sets the top bit of its byte where the byte was smaller, so each kind of stop takes one; bytes with a
    /// top bit of their own are stops anyway. A borrow may set bits wrongly above the first that is set, never below it,
    /// which is why only the first counts.
    @inline(__always)
    private static func stops(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = word &- ones &* 0x20
        let quote = (word ^ ones &* 0x22) &- ones
        let backslash = (word ^ ones &* 0x5C) &- ones
        return (word | control | quote | backslash) & (ones &* 0x80)
    }

    private mutating func scanEscape(_ bytes: Span<UInt8>) throws(JSONProblem) {
        let start = position
        position &+= 1
        guard let kind = peek(bytes) else { throw problem(.unexpectedEnd) }
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
        case UInt8(ascii: "u"):
            position &+= 1
            let unit = try scanHexadecimal(bytes)
            guard unit >= 0xD800, unit < 0xE000 else { return }
            let second = position
            guard unit < 0xDC00, bytes.count - second >= 2, bytes[second] == UInt8(ascii: "\\"),
                bytes[second + 1] == UInt8(ascii: "u")
            else { throw JSONProblem(offset: start, what: .loneSurrogate) }
            position &+= 2
            let low = try scanHexadecimal(bytes)
            guard low >= 0xDC00, low < 0xE000 else { throw JSONProblem(offset: start, what: .loneSurrogate) }
        default:
            throw JSONProblem(offset: start, what: .malformedEscape)
        }
    }

    private mutating func scanHexadecimal(_ bytes: Span<UInt8>) throws(JSONProblem) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(bytes) else { throw problem(.unexpectedEnd) }
            guard let digit = JSONText.hexadecimalDigit(byte) else { throw problem(.malformedEscape) }
            value = value << 4 | digit
            position &+= 1
        }
        return value
    }

    /// Scans one UTF-8 sequence of two to four bytes, by the table of well-formed sequences (Unicode, table 3-7), which
    /// leaves out overlong forms, surrogates and what lies beyond U+10FFFF.
    private mutating func scanMultibyte(_ bytes: Span<UInt8>) throws(JSONProblem) {
        let first = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw problem(.malformedUTF8)
        }
        guard bytes.count &- position >= length, second.contains(bytes[position &+ 1]) else {
            throw problem(.malformedUTF8)
        }
        for index in 2..<max(length, 2) where bytes[position &+ index] & 0xC0 != 0x80 {
            throw problem(.malformedUTF8)
        }
        position &+= length
    }

    // MARK: Names

    /// FNV-1a.
    ///
    /// It only makes comparisons rare; two names with one hash are still compared.
    private static func hash(_ name: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in 0..<name.count {
            hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3
        }
        return hash
    }

    private static func haveSameName(
        _ one: JSONDocument.Member, _ other: JSONDocument.Member, in bytes: Span<UInt8>
    ) -> Bool {
        JSONText.decoded(bytes, one.key) == JSONText.decoded(bytes, other.key)
    }

    private func refuseDuplicates(_ bytes: Span<UInt8>, endingAt last: Int32) throws(JSONProblem) {
        var siblings: [JSONDocument.Member] = []
        var index = last
        while index >= 0 {
            siblings.append(document.members[Int(index)])
            index = document.members[Int(index)].previous
        }
        siblings.sort { ($0.hash, $0.keyStart) < ($1.hash, $1.keyStart) }
        var first: Int?
        for (position, member) in siblings.enumerated() {
            var earlier = position - 1
            while earlier >= 0, siblings[earlier].hash == member.hash {
                if Self.haveSameName(siblings[earlier], member, in: bytes) {
                    first = min(first ?? .max, member.key.lowerBound - 1)
                    break
                }
                earlier -= 1
            }
        }
        if let first { throw JSONProblem(offset: first, what: .duplicateKey) }
    }
}

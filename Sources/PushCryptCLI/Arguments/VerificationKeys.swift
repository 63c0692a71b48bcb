internal import PushCryptSender

/// The public keys in some text: one key, a JWK Set, or several of these on lines, as `keys public
/// --all` prints them.
struct VerificationKeys {
    private(set) var keys: [VerificationKey] = []

    /// Parses text with at least one key.
    init(parsing text: Span<UInt8>) throws(PushCryptError) {
        let lines = Self.lines(of: text)
        // A JWK can have line breaks too.
        guard lines.count > 1, let first = lines.first, Self.isWhole(text.extracting(first.range))
        else {
            try append(text.extracting(JSONText.trimmed(text)))
            return
        }
        for line in lines {
            let text = text.extracting(line.range)
            try naming("line \(line.number)") { () throws(PushCryptError) in try append(text) }
        }
    }

    /// Appends all keys of a JWK Set, or the only key of a JWK or a raw key.
    private mutating func append(_ text: Span<UInt8>) throws(PushCryptError) {
        guard let document = try? JSONDocument(scanning: text),
            document.member("keys", in: text) != nil
        else {
            return keys.append(try VerificationKey(parsing: text))
        }
        let jwks = try JWKSet(text, document).elements.map(\.jwk)
        for (number, jwk) in zip(1..., jwks) {
            let name = "key \(number) of \(jwks.count)"
            keys.append(try naming(name) { () throws(PushCryptError) in try VerificationKey(jwk) })
        }
    }

    /// A line that isn't empty.
    private struct Line {
        let number: Int
        /// The bytes without white space at the ends.
        let range: Range<Int>
    }

    private static func lines(of text: Span<UInt8>) -> [Line] {
        var lines: [Line] = []
        var start = 0
        var number = 0
        while start < text.count {
            number += 1
            let end = (start..<text.count).first { text[$0] == UInt8(ascii: "\n") } ?? text.count
            let trimmed = JSONText.trimmed(text.extracting(start..<end))
            let range = trimmed.lowerBound + start..<trimmed.upperBound + start
            if !range.isEmpty { lines.append(Line(number: number, range: range)) }
            start = end + 1
        }
        return lines
    }

    /// Returns a Boolean value that indicates whether a line has the form of a whole key.
    private static func isWhole(_ line: Span<UInt8>) -> Bool {
        (try? JSONDocument(scanning: line)) != nil || (try? Base64URL.decode(line))?.count == 32
    }
}

internal import PushCryptCore
internal import PushCryptRules

/// Cuts texts so that a payload fits, and never through a character.
///
/// A character is what people see as one: an extended grapheme cluster of Unicode (UAX #29), which Swift's `Character` is.
/// So no flag, family or accent is torn apart.
struct Truncator {
    /// What shows that something is missing, U+2026.
    static let ellipsis = "…"

    /// The payload's JSON, as far as it is cut.
    private(set) var json: [UInt8]
    /// What was cut.
    private(set) var cuts: [Truncation] = []

    /// Cuts one text after the other until a payload has at most some bytes.
    ///
    /// - Parameters:
    ///   - original: the payload.
    ///   - limit: how many bytes it may have.
    ///   - fields: which texts may be cut; one after the other, each only as far as must be.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, which cannot happen.
    init(_ original: OriginalPayload, to limit: Int, cutting fields: [AlertField]) throws(PushCryptError) {
        json = original.bytes
        var outline = original.outline
        // All of them without needless escapes first: a title need not be cut for the spelling of a body.
        for field in fields where json.count > limit {
            guard let text = Self.text(of: field, outline, json) else { continue }
            try replace(text, with: Self.spelt(Self.decoded(json, text)), &outline)
        }
        for field in fields where json.count > limit {
            guard let text = Self.text(of: field, outline, json) else { continue }
            guard let shorter = Self.shortened(json, text, by: json.count - limit) else { continue }
            try replace(text, with: shorter.text, &outline)
            cuts.append(Truncation(field: field, keptCharacters: shorter.kept, removedCharacters: shorter.removed))
        }
    }

    private mutating func replace(
        _ place: Range<Int>, with text: [UInt8], _ outline: inout PayloadOutline
    ) throws(PushCryptError) {
        json.replaceSubrange(place, with: text)
        outline = PayloadOutline(try JSONDocument(scanning: json.span), json.span)
    }

    private static func decoded(_ bytes: [UInt8], _ place: Range<Int>) -> String {
        let contents = (place.lowerBound + 1)..<(place.upperBound - 1)
        return String(decoding: JSONText.decoded(bytes.span, contents), as: UTF8.self)
    }

    /// Where a text is, with its quotation marks.
    private static func text(of field: AlertField, _ outline: PayloadOutline, _ bytes: [UInt8]) -> Range<Int>? {
        guard let alert = outline[.alert] else { return nil }
        let isText = outline.document.kind(of: alert, in: bytes.span) == .string
        guard let member = isText ? (field == .body ? alert : nil) : outline[field.key],
            outline.document.kind(of: member, in: bytes.span) == .string
        else { return nil }
        return member.value
    }

    /// The longest beginning of a text that is some bytes shorter; or else the shortest that there is, where that is shorter
    /// at all.
    private static func shortened(
        _ bytes: [UInt8], _ place: Range<Int>, by excess: Int
    ) -> (text: [UInt8], kept: Int, removed: Int)? {
        let text = decoded(bytes, place)
        let room = place.count - excess
        var length = JSONText.length(ellipsis)
        var end = text.startIndex
        var kept = 0
        while end < text.endIndex {
            let next = text.index(after: end)
            // Quotation marks are counted already.
            let longer = length + JSONText.length(text[end..<next]) - 2
            guard longer <= room else { break }
            (length, end, kept) = (longer, next, kept + 1)
        }
        guard length < place.count else { return nil }
        return (spelt(text[..<end] + ellipsis), kept, text[end...].count)
    }

    private static func spelt(_ text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONText.append(String(text), to: &bytes)
        return bytes
    }
}

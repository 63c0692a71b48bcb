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
            guard let text = Self.text(of: field, outline) else { continue }
            try replace(text.range, with: Self.encoded(outline.document.string(text, in: json.span) ?? ""), &outline)
        }
        for field in fields where json.count > limit {
            guard let text = Self.text(of: field, outline) else { continue }
            guard let string = outline.document.string(text, in: json.span),
                let shorter = Self.shortened(string, from: text.range.count, by: json.count - limit)
            else { continue }
            try replace(text.range, with: shorter.text, &outline)
            cuts.append(Truncation(field: field, keptCharacters: shorter.kept, removedCharacters: shorter.removed))
        }
    }

    private mutating func replace(
        _ place: Range<Int>, with text: [UInt8], _ outline: inout PayloadOutline
    ) throws(PushCryptError) {
        json.replaceSubrange(place, with: text)
        outline = PayloadOutline(try JSONDocument(scanning: json.span), json.span)
    }

    /// Returns the string of a field; `nil` if the alert has none.
    private static func text(of field: AlertField, _ outline: PayloadOutline) -> JSONDocument.Value? {
        guard let alert = outline[.alert] else { return nil }
        let isText = alert.kind == .string
        guard let member = isText ? (field == .body ? alert : nil) : outline[field.key],
            member.kind == .string
        else { return nil }
        return member
    }

    /// The longest beginning of a text that is some bytes shorter; or else the shortest that there is, where that is shorter
    /// at all.
    private static func shortened(
        _ text: String, from encodedLength: Int, by excess: Int
    ) -> (text: [UInt8], kept: Int, removed: Int)? {
        let room = encodedLength - excess
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
        guard length < encodedLength else { return nil }
        return (encoded(text[..<end] + ellipsis), kept, text[end...].count)
    }

    private static func encoded(_ text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONText.append(String(text), to: &bytes)
        return bytes
    }
}

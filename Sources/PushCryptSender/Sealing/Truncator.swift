internal import PushCryptCore
internal import PushCryptPayload

/// A payload whose alert is truncated, between two characters as a reader sees them, until it fits.
struct Truncator {
    private static let ellipsis = "…"

    /// The payload.
    private(set) var original: OriginalPayload

    /// The truncated parts of the alert.
    private(set) var truncations: [Truncation] = []

    /// Truncates the fields in turn, each as little as possible, until the payload fits.
    init(_ original: OriginalPayload, to limit: Int, fields: [AlertField]) throws(PushCryptError) {
        self.original = original
        // Needless escapes go first, so that no character of one field is lost to the escapes of
        // another.
        for field in fields where self.original.bytes.count > limit {
            guard let (text, range) = text(of: field) else { continue }
            try replace(range, with: text)
        }
        for field in fields where self.original.bytes.count > limit {
            guard let (text, range) = text(of: field) else { continue }
            try truncate(field, text, at: range, by: self.original.bytes.count - limit)
        }
    }

    /// Removes whole characters from the end of a field until at least `excess` bytes are gone.
    private mutating func truncate(
        _ field: AlertField, _ text: String, at range: Range<Int>, by excess: Int
    ) throws(PushCryptError) {
        var length = JSONText.length(Self.ellipsis)
        var end = text.startIndex
        var kept = 0
        while end < text.endIndex {
            let next = text.index(after: end)
            // The quotation marks are already counted.
            let longer = length + JSONText.length(text[end..<next]) - 2
            guard longer <= range.count - excess else { break }
            length = longer
            end = next
            kept += 1
        }
        guard length < range.count else { return }
        try replace(range, with: text[..<end] + Self.ellipsis)
        truncations.append(
            Truncation(field: field, keptCharacters: kept, removedCharacters: text[end...].count))
    }

    private mutating func replace(_ range: Range<Int>, with text: String) throws(PushCryptError) {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        var json = original.bytes
        json.replaceSubrange(range, with: bytes)
        original = try OriginalPayload(json)
    }

    /// Returns a field and its range with the quotation marks; `nil` if the alert doesn't have it.
    private func text(of field: AlertField) -> (String, Range<Int>)? {
        let outline = original.outline
        guard let alert = outline[.alert] else { return nil }
        let member = PayloadKey(rawValue: field.rawValue).flatMap { outline[$0] }
        let value = alert.kind != .string ? member : field == .body ? alert : nil
        guard let value, let text = outline.document.string(value, in: original.bytes.span) else {
            return nil
        }
        return (text, value.range)
    }
}

internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSender

/// Checks for bytes without meaning, and for values that don't arrive.
extension RuleCheck {
    mutating func checkEncoding(_ leaves: [JSONDocument.Leaf]) {
        for leaf in leaves {
            if leaf.value.kind == .null { report(.nullValue, at: Finding.Location(leaf.path)) }
            if leaf.value.kind == .number { checkNumber(leaf) }
            guard leaf.value.kind == .string else { continue }
            let excess = leaf.value.range.count - JSONText.length(text(leaf.value) ?? "")
            if excess > 0 {
                report(.needlessEscapes, at: Finding.Location(leaf.path), Self.bytes(excess))
            }
        }
        let inNames = outline.document.values.reduce(0) { excess, member in
            excess + (member.name.map { $0.count + 2 - JSONText.length(name(member)) } ?? 0)
        }
        if inNames > 0 {
            report(.needlessEscapes, at: Finding.Location([]), "\(Self.bytes(inNames)) in names")
        }
        // Sealing removes white space.
        let whitespace = outline.document.whitespace
        if isSealed, whitespace > 0 {
            report(.needlessWhitespace, at: Finding.Location([]), Self.bytes(whitespace))
        }
    }

    /// Checks that a device keeps a number of the app.
    ///
    /// JSONSerialization reads integers of 64 bits, and otherwise a `Double`.
    private mutating func checkNumber(_ leaf: JSONDocument.Leaf) {
        let isApples = PayloadKey.activityTimes.contains { $0.path == leaf.path }
        let text = outline.document.number(leaf.value, in: outline.bytes.span)
        guard !isApples, let number = text.flatMap({ JSONNumber($0) }) else { return }
        guard let nearest = number.double else {
            return report(.numberOutOfRange, at: Finding.Location(leaf.path))
        }
        let isInteger =
            number.exactly(Int64.self) != nil || number.exactly(UInt64.self) != nil
        guard !isInteger, JSONNumber(nearest) != number else { return }
        report(.numberRounded, at: Finding.Location(leaf.path))
    }

    private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}

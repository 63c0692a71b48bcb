package import PushCryptCore

/// Checks for bytes without meaning, and for values that don't arrive.
extension RuleCheck {
    package mutating func checkEncoding(_ leaves: [JSONWalk.Leaf]) {
        for leaf in leaves {
            if leaf.kind == .null { report(.nullValue, at: Finding.Location(leaf.path)) }
            guard leaf.kind == .string else { continue }
            let excess = leaf.value.count - JSONText.length(text(leaf))
            if excess > 0 { report(.needlessEscapes, at: Finding.Location(leaf.path), Self.bytes(excess)) }
        }
        let inNames = outline.document.members.reduce(0) { excess, member in
            excess + member.key.count + 2 - JSONText.length(name(member))
        }
        if inNames > 0 { report(.needlessEscapes, at: Finding.Location([]), "\(Self.bytes(inNames)) in names") }
        // Sealing removes white space.
        let whitespace = outline.document.whitespace
        if isSealed, whitespace > 0 { report(.needlessWhitespace, at: Finding.Location([]), Self.bytes(whitespace)) }
    }

    /// Returns the text of a string.
    func text(_ leaf: JSONWalk.Leaf) -> String {
        let contents = (leaf.value.lowerBound + 1)..<max(leaf.value.upperBound - 1, leaf.value.lowerBound + 1)
        return String(decoding: JSONText.decoded(bytes.span, contents), as: UTF8.self)
    }

    private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}

package import PushCryptCore

// Bytes that say nothing, and values that do not arrive.
extension RuleCheck {
    package mutating func checkSpelling(_ leaves: [JSONWalk.Leaf]) {
        for leaf in leaves {
            if leaf.kind == .null { report(.nullValue, at: Finding.Place(leaf.path)) }
            guard leaf.kind == .string else { continue }
            let text = String(decoding: JSONText.decoded(bytes.span, leaf.contents), as: UTF8.self)
            let excess = leaf.value.count - JSONText.length(text)
            if excess > 0 { report(.needlessEscapes, at: Finding.Place(leaf.path), Self.bytes(excess)) }
        }
        let inNames = outline.document.members.reduce(0) { excess, member in
            let name = name(member)
            return excess + member.key.count + 2 - JSONText.length(name)
        }
        if inNames > 0 { report(.needlessEscapes, at: Finding.Place([]), "\(Self.bytes(inNames)) in members' names") }
        // Sealing takes white space out, so it costs nothing in an original.
        let whitespace = outline.document.whitespace
        if subject == .sealed, whitespace > 0 {
            report(.needlessWhitespace, at: Finding.Place([]), Self.bytes(whitespace))
        }
    }
}

extension RuleCheck {
    private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}

extension JSONWalk.Leaf {
    /// Where the text of a string is, without its quotation marks.
    var contents: Range<Int> { (value.lowerBound + 1)..<max(value.upperBound - 1, value.lowerBound + 1) }
}

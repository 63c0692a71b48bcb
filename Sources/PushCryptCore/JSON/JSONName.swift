/// A member's name that is looked for often: its hash is computed once, so that other names cost one comparison each.
package struct JSONName: Sendable {
    let text: [UInt8]
    package let hash: UInt64

    /// Takes a name, as it reads decoded.
    package init(_ name: String) {
        let text = Array(name.utf8)
        self.text = text
        hash = JSONScanner.hash(text.span)
    }
}

extension JSONDocument {
    /// A member of an object by name.
    package func member(_ name: JSONName, of object: Int32 = 0, in bytes: Span<UInt8>) -> Member? {
        for member in members where member.object == object && isNamed(name, member, in: bytes) {
            return member
        }
        return nil
    }

    /// Whether a member has a name, escapes resolved.
    package func isNamed(_ name: JSONName, _ member: Member, in bytes: Span<UInt8>) -> Bool {
        guard member.hash == name.hash else { return false }
        if member.keyHasEscapes { return JSONText.decoded(bytes, member.key) == name.text }
        guard member.key.count == name.text.count else { return false }
        let start = member.key.lowerBound
        for index in name.text.indices where bytes[start + index] != name.text[index] { return false }
        return true
    }
}

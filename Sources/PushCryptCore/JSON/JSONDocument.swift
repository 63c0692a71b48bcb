/// What one pass over the bytes of a JSON object finds: that it is strictly valid, and where its members are.
///
/// It holds offsets only. Whoever asks it something hands it the same bytes again, so nothing of the payload is copied.
package struct JSONDocument: Sendable {
    /// One member of an object, by its place in the bytes.
    package struct Member: Sendable {
        /// Which object it is a member of, counted in the order of their opening braces.
        package let object: Int32
        /// Where its name is, without the quotation marks and with its escapes.
        let keyStart: Int32, keyEnd: Int32
        /// Whether the name has escapes, and has to be decoded before it is compared.
        let keyHasEscapes: Bool
        /// A hash of the name as it reads decoded.
        package let hash: UInt64
        /// The member before it in the same object, or −1.
        let previous: Int32
        /// Where its value begins.
        var valueStart: Int32 = 0
        /// Where its value ends.
        var valueEnd: Int32 = 0
        /// Which object its value is, or −1.
        package internal(set) var valueObject: Int32 = -1

        /// Where its name is, without the quotation marks.
        package var key: Range<Int> { Int(keyStart)..<Int(keyEnd) }

        /// Where its value is.
        package var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    /// The kinds of JSON values.
    package enum Kind: Sendable {
        case object, array, string, number, boolean, null
    }

    /// All members of all objects, in the order in which their values end.
    package internal(set) var members: [Member] = []

    /// How many bytes are white space between tokens.
    package internal(set) var whitespace = 0

    /// Checks that some bytes are one strict JSON object, and finds its members.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON` and the offset of what is wrong.
    package init(scanning bytes: Span<UInt8>) throws(PushCryptError) {
        do throws(JSONProblem) {
            self = try JSONScanner.scan(bytes)
        } catch {
            throw error.error
        }
    }

    init() {}

    /// The members of one object; the outermost is number 0.
    package func members(of object: Int32) -> [Member] {
        members.filter { $0.object == object }
    }

    /// A member of an object by name.
    package func member(_ name: String, of object: Int32 = 0, in bytes: Span<UInt8>) -> Member? {
        for member in members where member.object == object && isNamed(name, member, in: bytes) {
            return member
        }
        return nil
    }

    /// What kind of value a member has.
    package func kind(of member: Member, in bytes: Span<UInt8>) -> Kind {
        Self.kind(at: Int(member.valueStart), in: bytes)
    }

    /// What kind of value begins at a place.
    package static func kind(at position: Int, in bytes: Span<UInt8>) -> Kind {
        switch bytes[position] {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// Whether a member has a name, escapes resolved.
    package func isNamed(_ name: String, _ member: Member, in bytes: Span<UInt8>) -> Bool {
        if member.keyHasEscapes {
            return JSONText.decoded(bytes, member.key) == Array(name.utf8)
        }
        guard member.key.count == name.utf8.count else { return false }
        var position = Int(member.keyStart)
        for byte in name.utf8 {
            guard bytes[position] == byte else { return false }
            position += 1
        }
        return true
    }
}

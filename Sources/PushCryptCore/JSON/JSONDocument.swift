/// The values of a strict JSON object in one flat list, in the order of the text.
///
/// The list holds offsets only. Its queries take the scanned bytes again, so that private keys are
/// never copied.
package struct JSONDocument: Sendable {
    /// The kinds of JSON values.
    package enum Kind: Sendable {
        case object, array, string, number, boolean, null
    }

    /// A value, which is the root, a member of an object, or an element of an array.
    package struct Value: Sendable {
        /// The text of the member's name without the quotation marks; `nil` if the value isn't a
        /// member.
        package let name: Range<Int>?

        /// A Boolean value that indicates whether the name must be decoded before it is compared.
        package let nameHasEscapes: Bool

        /// The kind of the value.
        package let kind: Kind

        /// The text of the value.
        package internal(set) var range: Range<Int>

        /// The index of the value in the list.
        package let index: Int

        /// The index of the first value after this one and its descendants.
        package internal(set) var next: Int

        /// The text of a string without the quotation marks.
        package var contents: Range<Int> { range.dropFirst().dropLast() }
    }

    /// The largest integer that every JSON reader keeps exactly, 2^53 − 1 (RFC 8259 §6).
    package static let maximumInteger: UInt64 = (1 << 53) - 1

    /// The deepest nesting of objects and arrays.
    package static let maximumDepth = 64

    /// The values in the order in which they begin; the first is the whole object.
    package let values: [Value]

    /// The number of bytes of white space between tokens.
    package let whitespace: Int

    /// Scans one strict JSON object, with a name of the text and a fix for errors.
    ///
    /// - Throws: ``PushCryptError`` with the code and the location of the problem.
    package init(
        scanning bytes: Span<UInt8>, _ subject: String = "payload",
        maximumDepth: Int = JSONDocument.maximumDepth,
        fix: String = "Correct it.", orThrow code: PushCryptError.Code = .malformedJSON
    ) throws(PushCryptError) {
        var scanner = JSONScanner(bytes, maximumDepth)
        do throws(JSONProblem) {
            try scanner.scanDocument()
        } catch {
            throw PushCryptError(
                code,
                """
                The \(subject) is not one strict JSON object: at \(error.location(in: bytes)), \
                \(error.what.rawValue). \(fix)
                """)
        }
        values = scanner.values
        whitespace = scanner.whitespace
    }

    /// The whole object.
    package var root: Value { values[0] }

    /// Returns the members of an object or the elements of an array.
    package func children(of value: Value?) -> Children {
        guard let value else { return Children(values: values, index: 0, end: 0) }
        return Children(values: values, index: value.index + 1, end: value.next)
    }

    /// The values directly in an object or an array.
    package struct Children: Sequence, IteratorProtocol {
        let values: [Value]
        var index: Int
        let end: Int

        /// The number of values.
        package var count: Int { reduce(0) { count, _ in count + 1 } }

        package mutating func next() -> Value? {
            guard index < end else { return nil }
            let value = values[index]
            index = value.next
            return value
        }
    }

    /// Returns a member of the whole object; `nil` if there is no such member.
    package func member(_ name: String, in bytes: Span<UInt8>) -> Value? {
        member(name, of: root, in: bytes)
    }

    /// Returns a member of an object; `nil` if the value isn't an object with such a member.
    package func member(_ name: String, of object: Value?, in bytes: Span<UInt8>) -> Value? {
        for member in children(of: object) where isNamed(name, member, in: bytes) { return member }
        return nil
    }

    /// Returns a Boolean value that indicates whether a value is the member with a name.
    package func isNamed(_ name: String, _ member: Value, in bytes: Span<UInt8>) -> Bool {
        guard let range = member.name else { return false }
        if member.nameHasEscapes { return JSONText.decoded(bytes, range).elementsEqual(name.utf8) }
        return JSONText.isEqual(bytes, range, to: name)
    }

    /// Returns the name of a member; the empty string if the value isn't a member.
    package func name(of member: Value, in bytes: Span<UInt8>) -> String {
        member.name.map { String(decoding: JSONText.decoded(bytes, $0), as: UTF8.self) } ?? ""
    }

    /// Returns a string without its escapes; `nil` if the value isn't a string.
    package func string(_ value: Value?, in bytes: Span<UInt8>) -> String? {
        guard let value, value.kind == .string else { return nil }
        return String(decoding: JSONText.decoded(bytes, value.contents), as: UTF8.self)
    }

    /// Returns the text of a number as it is written; `nil` if the value isn't a number.
    package func number(_ value: Value?, in bytes: Span<UInt8>) -> String? {
        guard let value, value.kind == .number else { return nil }
        return String(decoding: [UInt8](copying: bytes.extracting(value.range)), as: UTF8.self)
    }

    /// Returns an integer that is written as digits only; `nil` for any other value.
    package func integer(_ value: Value?, in bytes: Span<UInt8>) -> UInt64? {
        guard let number = number(value, in: bytes), number.first != "-" else { return nil }
        return UInt64(number)
    }

    /// Returns a Boolean value that indicates whether a value is `true`.
    package func isTrue(_ value: Value?, in bytes: Span<UInt8>) -> Bool {
        guard let value, value.kind == .boolean else { return false }
        return bytes[value.range.lowerBound] == UInt8(ascii: "t")
    }
}

/// The values of a strict JSON object in one flat list, in the order of the text.
///
/// The list holds offsets only. Its queries take the scanned bytes again, so that private keys are never copied.
package struct JSONDocument: Sendable {
    /// The kinds of JSON values.
    package enum Kind: UInt8, Sendable {
        case object, array, string, number, boolean, null
    }

    /// The place of a member's name.
    struct Key: Sendable {
        /// The offset of the first byte behind the opening quotation mark; −1 if the value has no name.
        var start: Int32 = -1
        /// The offset of the closing quotation mark.
        var end: Int32 = -1
        /// A Boolean value that indicates whether the name must be decoded before it is compared.
        var hasEscapes = false

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    /// A value, which is the root, a member of an object, or an element of an array.
    package struct Value: Sendable {
        let key: Key
        /// The kind of the value.
        package let kind: Kind
        let start: Int32
        var end: Int32 = 0
        /// The index of the value in the list.
        let index: Int32
        /// The index behind the value and everything in it.
        var next: Int32

        /// The text of the value.
        package var range: Range<Int> { Int(start)..<Int(end) }

        /// The text of a string without the quotation marks.
        package var contents: Range<Int> { (Int(start) + 1)..<max(Int(end) - 1, Int(start) + 1) }

        /// The text of the member's name without the quotation marks; `nil` if the value isn't a member.
        package var name: Range<Int>? { key.start < 0 ? nil : key.range }

        /// A Boolean value that indicates whether the name must be decoded before it is compared.
        package var nameHasEscapes: Bool { key.hasEscapes }
    }

    /// A value without any others in it: a scalar, an empty object or an empty array.
    package struct Leaf: Sendable {
        /// The names of the members that lead to the value; for elements of arrays, numbers from 0.
        package let path: [String]
        /// The value.
        package let value: Value
    }

    /// The values in the order in which they begin; the first is the whole object.
    package let values: [Value]

    /// The number of bytes of white space between tokens.
    package let whitespace: Int

    init(values: [Value], whitespace: Int) {
        self.values = values
        self.whitespace = whitespace
    }

    /// Scans one strict JSON object.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON` and the offset of the problem.
    package init(scanning bytes: Span<UInt8>) throws(PushCryptError) {
        do throws(JSONProblem) {
            self = try JSONScanner.scan(bytes)
        } catch {
            throw error.error
        }
    }

    /// The whole object.
    package var root: Value { values[0] }

    /// Returns the members of an object or the elements of an array.
    package func children(of value: Value?) -> Children {
        guard let value else { return Children(values: values, index: 0, end: 0) }
        return Children(values: values, index: Int(value.index) + 1, end: Int(value.next))
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
            index = Int(value.next)
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

    /// Returns whether a value is the member with a name.
    package func isNamed(_ name: String, _ member: Value, in bytes: Span<UInt8>) -> Bool {
        guard let range = member.name else { return false }
        if member.key.hasEscapes { return JSONText.decoded(bytes, range).elementsEqual(name.utf8) }
        return JSONText.isEqual(bytes, range, name)
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
        guard let value, bytes[Int(value.start)] != UInt8(ascii: "-") else { return nil }
        return number(value, in: bytes).flatMap { UInt64($0) }
    }

    /// Returns whether a value is `true`.
    package func isTrue(_ value: Value?, in bytes: Span<UInt8>) -> Bool {
        guard let value, value.kind == .boolean else { return false }
        return bytes[Int(value.start)] == UInt8(ascii: "t")
    }

    /// Returns the values without any others in them, in the order of the text.
    package func leaves(in bytes: Span<UInt8>) -> [Leaf] {
        var leaves: [Leaf] = []
        var path: [String] = []
        appendLeaves(of: root, at: &path, in: bytes, to: &leaves)
        return leaves
    }

    private func appendLeaves(
        of value: Value, at path: inout [String], in bytes: Span<UInt8>, to leaves: inout [Leaf]
    ) {
        guard Int(value.next) > Int(value.index) + 1 else { return leaves.append(Leaf(path: path, value: value)) }
        var number = 0
        for child in children(of: value) {
            path.append(value.kind == .object ? name(of: child, in: bytes) : "\(number)")
            appendLeaves(of: child, at: &path, in: bytes, to: &leaves)
            path.removeLast()
            number += 1
        }
    }

    /// Returns the same JSON without white space between tokens; every token stays as it is written.
    package func minified(_ bytes: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count - whitespace)
        var position = 0
        for value in values {
            if let name = value.name {
                Self.appendTokens(bytes, position..<name.lowerBound, to: &result)
                for index in name { result.append(bytes[index]) }
                position = name.upperBound
            }
            guard value.kind == .string else { continue }
            Self.appendTokens(bytes, position..<Int(value.start), to: &result)
            for index in value.range { result.append(bytes[index]) }
            position = Int(value.end)
        }
        Self.appendTokens(bytes, position..<bytes.count, to: &result)
        return result
    }

    private static func appendTokens(_ bytes: Span<UInt8>, _ range: Range<Int>, to result: inout [UInt8]) {
        for index in range where bytes[index] > 0x20 { result.append(bytes[index]) }
    }
}

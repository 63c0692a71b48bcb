package import PushCryptCore

extension JSONDocument {
    /// A value without any others in it: a scalar, an empty object or an empty array.
    package struct Leaf: Sendable {
        /// The names of the members that lead to the value; for elements of arrays, numbers from 0.
        package let path: [String]
        /// The value.
        package let value: Value
    }

    /// Returns the values without any others in them, in the order of the text.
    package func leaves(in bytes: Span<UInt8>) -> [Leaf] { leaves(of: root, at: [], in: bytes) }

    private func leaves(of value: Value, at path: [String], in bytes: Span<UInt8>) -> [Leaf] {
        guard value.next > value.index + 1 else { return [Leaf(path: path, value: value)] }
        return children(of: value).enumerated().flatMap { index, child in
            let name = value.kind == .object ? name(of: child, in: bytes) : "\(index)"
            return leaves(of: child, at: path + [name], in: bytes)
        }
    }
}

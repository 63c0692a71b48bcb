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
    package func leaves(in bytes: Span<UInt8>) -> [Leaf] {
        var leaves: [Leaf] = []
        var path: [String] = []
        appendLeaves(of: root, at: &path, in: bytes, to: &leaves)
        return leaves
    }

    private func appendLeaves(
        of value: Value, at path: inout [String], in bytes: Span<UInt8>, to leaves: inout [Leaf]
    ) {
        guard value.next > value.index + 1 else { return leaves.append(Leaf(path: path, value: value)) }
        var number = 0
        for child in children(of: value) {
            path.append(value.kind == .object ? name(of: child, in: bytes) : "\(number)")
            appendLeaves(of: child, at: &path, in: bytes, to: &leaves)
            path.removeLast()
            number += 1
        }
    }
}

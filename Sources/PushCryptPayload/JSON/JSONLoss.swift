package import PushCryptCore

// What a value of Swift's cannot hold of JSON: of two names that differ in Unicode normalization alone a dictionary keeps
// one, and of a number beyond `Double` nothing is left.
extension JSONValue {
    /// Reads strict JSON, and refuses what would not be whole as a value.
    ///
    /// - Parameter json: one JSON object in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedJSON`.
    package init(whole json: [UInt8]) throws(PushCryptError) {
        try self.init(parsing: json)
        let leaves = JSONWalk.leaves(of: json.span)
        let kept = leafCounts
        guard kept.all == leaves.count else {
            throw PushCryptError(
                .malformedJSON,
                "Two names differ in Unicode normalization alone, and a value of Swift's cannot hold both. The JSON itself can."
            )
        }
        guard kept.nulls == leaves.count(where: { $0.kind == .null }) else {
            throw PushCryptError(
                .malformedJSON, "A number is beyond what a value of Swift's can hold. The JSON itself can.")
        }
    }

    /// How many values there are that have no others in them, and how many of them are `null`.
    private var leafCounts: (all: Int, nulls: Int) {
        switch self {
        case .null: (1, 1)
        case .array(let elements) where !elements.isEmpty: Self.sum(elements)
        case .object(let members) where !members.isEmpty: Self.sum(members.values)
        default: (1, 0)
        }
    }

    private static func sum(_ values: some Sequence<JSONValue>) -> (all: Int, nulls: Int) {
        values.reduce((0, 0)) { sum, value in
            let counts = value.leafCounts
            return (sum.0 + counts.all, sum.1 + counts.nulls)
        }
    }
}

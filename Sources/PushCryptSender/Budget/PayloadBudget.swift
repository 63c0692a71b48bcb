internal import PushCryptCore

/// The size of a payload, and the size that it may have.
///
/// ```swift
/// let budget = try sealer.budget(json: json)
/// if budget.remaining < 0, let largest = budget.members.first {
///     print("\(-budget.remaining) too many; \(largest.location) alone takes \(largest.bytes)")
/// }
/// ```
public struct PayloadBudget: Sendable, Hashable {
    /// The maximum number of bytes of the original, less the readable part, the encoding and the
    /// message's fields.
    public let capacity: Int

    /// The number of bytes of the original, without white space between tokens.
    public let used: Int

    /// The number of bytes that remain; negative if the payload is too long.
    ///
    /// At the start of a Live Activity, either of the two sealed values may grow by this number.
    public var remaining: Int { capacity - used }

    /// The members of the original, the largest first.
    ///
    /// The members of `aps` and `aps.alert` replace these two.
    public let members: [Member]

    /// A member of the original.
    public struct Member: Sendable, Hashable {
        /// The location of the member, such as `aps.alert.body`.
        public let location: String
        /// The number of bytes of its name, the colon and its value, without a comma.
        public let bytes: Int
    }

    init(_ original: OriginalPayload, _ layout: MessageLayout) {
        used = original.bytes.count
        capacity = used + layout.remaining
        let bytes = original.bytes
        let document = original.outline.document
        func list(_ object: JSONDocument.Value, _ path: [String]) -> [Member] {
            document.children(of: object).flatMap { member -> [Member] in
                let path = path + [document.name(of: member, in: bytes.span)]
                if member.kind == .object, [["aps"], ["aps", "alert"]].contains(path) {
                    return list(member, path)
                }
                // The range of the name is without its quotation marks.
                let length = member.range.upperBound - (member.name?.lowerBound ?? 0) + 1
                return [Member(location: Finding.Location(path).description, bytes: length)]
            }
        }
        members = list(document.root, []).sorted {
            ($1.bytes, $0.location) < ($0.bytes, $1.location)
        }
    }
}

internal import PushCryptCore
internal import PushCryptRules

/// How many bytes a payload may have, and where they go.
public struct PayloadBudget: Sendable, Hashable {
    /// How many bytes APNs takes for the push type.
    public let limit: Int

    /// How many bytes the original may have at the most; what is left of the limit when the visible part, the encoding and
    /// the message's own fields are paid for.
    public let capacity: Int

    /// How many bytes the original has, white space between tokens not counted.
    public let used: Int

    /// How many bytes are left; negative by as many as are too many.
    ///
    /// At the start of a Live Activity, where two values are sealed, either of them may grow by so many bytes.
    public var remaining: Int { capacity - used }

    /// The original's members and what each takes, the largest first.
    ///
    /// Those of `aps` and `aps.alert` are listed by themselves.
    public let members: [Member]

    /// A member of the original and what it takes.
    public struct Member: Sendable, Hashable {
        /// Where it is, as in `aps.alert.body`.
        public let place: String
        /// How many bytes its name, the colon and its value take.
        ///
        /// There is a comma more between two members.
        public let bytes: Int
    }

    init(_ original: OriginalPayload, _ room: MessageRoom, limit: Int) {
        self.limit = limit
        used = original.bytes.count
        capacity = used + room.remaining
        let bytes = original.bytes
        let document = original.outline.document
        func listed(_ object: JSONDocument.Value, _ path: [String]) -> [Member] {
            document.children(of: object).flatMap { member -> [Member] in
                let place = path + [document.name(of: member, in: bytes.span)]
                if member.kind == .object, [["aps"], ["aps", "alert"]].contains(place) {
                    return listed(member, place)
                }
                // The quotation marks of the name are not part of its range.
                let length = member.range.upperBound - (member.name?.lowerBound ?? 0) + 1
                return [Member(place: Finding.Location(place).description, bytes: length)]
            }
        }
        members = listed(document.root, []).sorted { ($1.bytes, $0.place) < ($0.bytes, $1.place) }
    }
}

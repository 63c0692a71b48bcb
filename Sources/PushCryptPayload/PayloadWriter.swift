/// A dictionary of a payload while it is written: what was kept, and the keys that have a type over it.
struct PayloadWriter {
    /// The members so far.
    private(set) var members: [String: JSONValue]

    init(_ rest: [String: JSONValue]) {
        members = rest
    }

    mutating func put(_ key: PayloadKey, _ value: JSONValue?) {
        if let value { members[key.rawValue] = value }
    }

    mutating func put(_ key: PayloadKey, _ value: String?) { put(key, value.map { JSONValue.string($0) }) }

    mutating func put(_ key: PayloadKey, _ value: Int?) { put(key, value.map { JSONValue.number(JSONNumber($0)) }) }

    mutating func put(_ key: PayloadKey, _ value: Double?) { put(key, value.map { JSONValue.number(JSONNumber($0)) }) }

    mutating func put(_ key: PayloadKey, _ value: [String]?) {
        put(key, value.map { strings in JSONValue.array(strings.map { JSONValue.string($0) }) })
    }

    mutating func put(_ key: PayloadKey, _ value: [String: JSONValue]?) {
        put(key, value.map { JSONValue.object($0) })
    }
}

internal import PushCryptCore

/// A dictionary of a payload while it is read: known keys are taken out, and what is left is kept as it is.
struct PayloadMembers {
    /// What nobody has taken yet.
    private(set) var rest: [String: JSONValue]

    init(_ members: [String: JSONValue]) {
        rest = members
    }

    /// Takes a member out and gives it its type.
    ///
    /// - Parameters:
    ///   - key: the member's key.
    ///   - convert: gives the value its type; `nil` where it cannot.
    /// - Returns: the typed value; `nil` where there is no such member, or where it is `null`, which is kept.
    /// - Throws: ``PushCryptError`` with `typeMismatch`, the member's place, and nothing of its value.
    mutating func take<Value>(
        _ key: PayloadKey, _ convert: (JSONValue) throws(PushCryptError) -> Value?
    ) throws(PushCryptError) -> Value? {
        guard let value = rest[key.rawValue], value != .null else { return nil }
        guard let result = try convert(value) else { throw Self.mistyped(key) }
        rest[key.rawValue] = nil
        return result
    }

    /// Takes a name out if it is one that is known, and keeps it where it is not: Apple may add to them.
    mutating func takeName<Name: RawRepresentable<String>>(_ key: PayloadKey) throws(PushCryptError) -> Name? {
        guard let value = rest[key.rawValue], value != .null else { return nil }
        guard let string = value.stringValue else { throw Self.mistyped(key) }
        guard let name = Name(rawValue: string) else { return nil }
        rest[key.rawValue] = nil
        return name
    }

    /// A flag is 1.
    ///
    /// Where it is `true`, which the system takes too, it is kept as it is.
    mutating func flag(_ key: PayloadKey) throws(PushCryptError) -> Int? {
        if case .bool = rest[key.rawValue] { return nil }
        return try integer(key)
    }

    /// A text is a string.
    ///
    /// The alert of a Live Activity may have a dictionary there, with a key and its arguments, which is kept as it is.
    mutating func text(_ key: PayloadKey) throws(PushCryptError) -> String? {
        if case .object = rest[key.rawValue] { return nil }
        return try string(key)
    }

    mutating func string(_ key: PayloadKey) throws(PushCryptError) -> String? {
        try take(key) { (value) throws(PushCryptError) in value.stringValue }
    }

    mutating func integer(_ key: PayloadKey) throws(PushCryptError) -> Int? {
        try take(key) { (value) throws(PushCryptError) in value.intValue }
    }

    /// Takes a number; it stays a custom value if a `Double` doesn't hold all of it.
    mutating func number(_ key: PayloadKey) throws(PushCryptError) -> Double? {
        if let number = rest[key.rawValue]?.numberValue, number.double.map({ JSONNumber($0) }) != number { return nil }
        return try take(key) { (value) throws(PushCryptError) in value.doubleValue }
    }

    mutating func object(_ key: PayloadKey) throws(PushCryptError) -> [String: JSONValue]? {
        try take(key) { (value) throws(PushCryptError) in value.objectValue }
    }

    mutating func strings(_ key: PayloadKey) throws(PushCryptError) -> [String]? {
        try take(key) { (value) throws(PushCryptError) in
            guard let elements = value.arrayValue else { return nil }
            let strings = elements.compactMap(\.stringValue)
            return strings.count == elements.count ? strings : nil
        }
    }

    private static func mistyped(_ key: PayloadKey) -> PushCryptError {
        PushCryptError(.typeMismatch, "\"\(key.path.joined(separator: "."))\" is not \(key.kind.rawValue).")
    }
}

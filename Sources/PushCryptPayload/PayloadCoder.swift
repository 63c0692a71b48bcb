internal import PushCryptCore

/// A dictionary of a payload with a property for each of Apple's keys.
protocol PayloadDictionary {
    /// The members that no property represents.
    var other: Payload.UnknownMembers { get set }

    /// Reads or writes the properties.
    mutating func code(with coder: inout PayloadCoder)
}

extension PayloadDictionary {
    /// Returns a copy with the properties that some members have, and all other members.
    ///
    /// - Throws: ``PushCryptError`` with `typeMismatch` and the location of the member, without its
    ///   value.
    func reading(_ members: [String: JSONValue]) throws(PushCryptError) -> Self {
        var copy = self
        var coder = PayloadCoder(members, isReading: true)
        copy.code(with: &coder)
        if let error = coder.error { throw error }
        copy.other = coder.members
        return copy
    }

    /// All members, with properties instead of members of the same name in `other`.
    var members: [String: JSONValue] {
        var copy = self
        var coder = PayloadCoder(other, isReading: false)
        copy.code(with: &coder)
        return coder.members
    }
}

/// Moves the values of Apple's keys from a dictionary to properties, or back.
struct PayloadCoder {
    /// The members that no property represents yet; all members if the properties are written.
    private(set) var members: [String: JSONValue]

    /// The first error.
    private(set) var error: PushCryptError?

    private let isReading: Bool

    init(_ members: [String: JSONValue], isReading: Bool) {
        self.members = members
        self.isReading = isReading
    }

    mutating func code(_ key: PayloadKey, _ property: inout String?) {
        code(key, &property, read: { $0.stringValue }, write: { .string($0) })
    }

    mutating func code(_ key: PayloadKey, _ property: inout Int?) {
        code(key, &property, read: { $0.intValue }, write: { .number(JSONNumber($0)) })
    }

    mutating func code(_ key: PayloadKey, _ property: inout Double?) {
        code(key, &property, read: { $0.doubleValue }, write: { .number(JSONNumber($0)) })
    }

    mutating func code(_ key: PayloadKey, _ property: inout [String: JSONValue]?) {
        code(key, &property, read: { $0.objectValue }, write: { .object($0) })
    }

    mutating func code(_ key: PayloadKey, _ property: inout [String]?) {
        code(
            key, &property,
            read: { value in
                let strings = value.arrayValue?.compactMap(\.stringValue)
                return strings?.count == value.arrayValue?.count ? strings : nil
            }, write: { .array($0.map { .string($0) }) })
    }

    /// Reads or writes a name, and leaves a name that Apple added later in the members.
    mutating func code<Name: RawRepresentable<String>>(
        _ key: PayloadKey, name property: inout Name?
    ) {
        if isReading, let name = members[key.rawValue]?.stringValue, Name(rawValue: name) == nil {
            property = nil
        } else {
            code(
                key, &property, read: { $0.stringValue.flatMap(Name.init) },
                write: { .string($0.rawValue) })
        }
    }

    /// Reads or writes a property.
    mutating func code<Value>(
        _ key: PayloadKey, _ property: inout Value?,
        read: (JSONValue) throws(PushCryptError) -> Value?,
        write: (Value) -> JSONValue
    ) {
        guard isReading else {
            if let property { members[key.rawValue] = write(property) }
            return
        }
        property = nil
        guard let value = members[key.rawValue], !Self.keeps(value, of: key) else { return }
        do throws(PushCryptError) {
            property = try read(value)
            if property == nil {
                let location = key.path.joined(separator: ".")
                throw PushCryptError(.typeMismatch, "\"\(location)\" is not \(key.kind.rawValue).")
            }
            members[key.rawValue] = nil
        } catch {
            self.error = self.error ?? error
        }
    }

    /// Returns a Boolean value that indicates whether a value is valid but no property can hold it.
    private static func keeps(_ value: JSONValue, of key: PayloadKey) -> Bool {
        switch (key.kind, value) {
        case (_, .null), (.flag, .bool): true
        // The title or the body of a Live Activity's alert can be a dictionary with a key of the
        // string table.
        case (_, .object): [.title, .subtitle, .body].contains(key)
        // A number with more digits than a Double, or out of its range.
        case (.number, .number(let number)): number.double.map { JSONNumber($0) } != number
        default: false
        }
    }
}

internal import PushCryptCore
internal import PushCryptPayload

// The opened dictionary.
extension SealedPlace {
    /// Returns the dictionary for an opened notification: the original payload, with its custom
    /// members also where the carrier's framework reads them, and with the carrier's own members.
    ///
    /// The original's members win. The list of the others is under `pushcrypt.added`, so that a
    /// reader leaves them out.
    ///
    /// - Parameters:
    ///   - payload: The original payload.
    ///   - delivered: The members that the carrier has added.
    /// - Returns: The dictionary.
    func opened(_ payload: [String: JSONValue], adding delivered: [String: JSONValue]) -> [String:
        JSONValue]
    {
        let original = payload.filter { !Self.reserved.contains($0.key) }
        var added = delivered
        if let outermost = container.first {
            let custom = original.filter { $0.key != "aps" }
            added[outermost] = Self.value(
                custom, at: container.dropFirst(), beside: delivered[outermost])
        }
        added = added.filter { original[$0.key] == nil }
        guard !added.isEmpty else { return original }
        var members = original.merging(added) { own, _ in own }
        members[Envelope.addedKey] = .array(added.keys.sorted().map { .string($0) })
        return members
    }

    /// Returns an opened dictionary's original payload: without the receipt and the members that
    /// were added.
    static func original(of opened: [String: JSONValue]) -> [String: JSONValue] {
        let added = Set((opened[Envelope.addedKey]?.arrayValue ?? []).compactMap(\.stringValue))
        return opened.filter { !added.contains($0.key) && !reserved.contains($0.key) }
    }

    /// The names that the extension writes itself, or that mean a sealed payload.
    static let reserved = [Envelope.payloadKey, Envelope.receiptKey, Envelope.addedKey]

    /// Returns custom members inside of the carrier's dictionaries, beside the carrier's own
    /// members.
    private static func value(
        _ custom: [String: JSONValue], at path: ArraySlice<String>, beside delivered: JSONValue?
    ) -> JSONValue {
        guard let name = path.first else { return .object(custom) }
        var members = delivered?.objectValue ?? [:]
        members[name] = value(custom, at: path.dropFirst(), beside: members[name])
        return .object(members)
    }
}

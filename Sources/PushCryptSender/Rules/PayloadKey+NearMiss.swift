package import PushCryptPayload

extension PayloadKey {
    /// Returns the fix of a name that almost is one of Apple's keys, as `loc_key` or `titleLocKey`,
    /// or that is one in another dictionary; `nil` for any other name.
    ///
    /// It names Apple's keys alone, because an error must not repeat a name of the payload.
    package static func fix(ofNearMiss name: String, in parent: Parent) -> String? {
        let folded = folded(name)
        let keys = allCases.filter { Self.folded($0.rawValue) == folded }
        if let key = keys.first(where: { $0.parent == parent }) {
            return "Write the key exactly as \"\(key.rawValue)\"."
        }
        guard let key = keys.first else { return nil }
        let place = key.parent.path.joined(separator: ".")
        return "Move it into \"\(place)\", as \"\(key.rawValue)\"."
    }

    /// The letters and digits of a name, in lower case.
    private static func folded(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

internal import PushCryptCore
internal import PushCryptPayload

/// The members of a stored row that this version knows.
///
/// A newer version may have added a member that later pushes to the device need. A server that
/// doesn't know the member still seals to the row. It doesn't replace the row, because it would
/// lose the member.
enum RowMembers {
    private static let known: Set<String> = [
        "account", "carrier", "deviceToken", "formerKeys", "proved", "registered", "registration",
    ]
    private static let knownOfFormerKeys: Set<String> = ["kid", "replaced"]
    private static let knownOfRegistration: Set<String> = [
        "created", "generation", "key", "lifetime", "signers",
    ]
    private static let knownOfKey: Set<String> = ["crv", "kid", "kty", "use", "x"]

    /// The version of a row, which a row of this version needn't state.
    private static let version: JSONValue = 1

    /// Returns the name of an unknown member of a row, or of an object in it; `nil` if there are
    /// none.
    static func unknown(in row: JSONValue) -> String? {
        let registration = row["registration"]
        let isThisVersion = row["version"] == version
        return name(in: row, besides: isThisVersion ? known.union(["version"]) : known)
            ?? registration.flatMap { name(in: $0, besides: knownOfRegistration) }
            ?? registration?["key"].flatMap { name(in: $0, besides: knownOfKey) }
            ?? row["formerKeys"]?.arrayValue?.lazy.compactMap {
                name(in: $0, besides: knownOfFormerKeys)
            }.first
    }

    /// Throws `newerFormat` if there is an unknown member.
    static func check(_ unknown: String?) throws(PushCryptError) {
        if let unknown { throw PushCryptError.newerFormat(member: unknown, of: "row") }
    }

    private static func name(in object: JSONValue, besides known: Set<String>) -> String? {
        object.objectValue?.keys.filter { !known.contains($0) }.min()
    }
}

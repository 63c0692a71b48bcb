package import PushCryptCore

// Which of Apple's keys a member is, without making a string of its name.
extension PayloadKey {
    private static let byHash = Dictionary(
        uniqueKeysWithValues: allCases.map { key -> (UInt64, (key: PayloadKey, name: JSONName)) in
            let name = JSONName(key.rawValue)
            return (name.hash, (key, name))
        })

    /// The key whose name a member has, whichever dictionary the member is in.
    ///
    /// - Parameters:
    ///   - member: a member of a scanned payload.
    ///   - document: what the scan has found.
    ///   - bytes: the bytes that were scanned.
    package init?(_ member: JSONDocument.Member, of document: JSONDocument, in bytes: Span<UInt8>) {
        guard let known = Self.byHash[member.hash], document.isNamed(known.name, member, in: bytes) else { return nil }
        self = known.key
    }

    /// The name `aps`, of the dictionary that all of Apple's keys are in.
    package static let aps = JSONName("aps")
}

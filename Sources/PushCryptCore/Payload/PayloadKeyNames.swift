// Which of Apple's keys a member is, without making a string of its name.
extension PayloadKey {
    private static let byHash = Dictionary(
        uniqueKeysWithValues: allCases.map { key -> (UInt64, PayloadKey) in
            let name = Array(key.rawValue.utf8)
            return (JSONScanner.hash(name.span), key)
        })

    /// The key whose name a member has, whichever dictionary the member is in.
    ///
    /// - Parameters:
    ///   - member: a member of a scanned payload.
    ///   - document: what the scan has found.
    ///   - bytes: the bytes that were scanned.
    package init?(_ member: JSONDocument.Member, of document: JSONDocument, in bytes: Span<UInt8>) {
        guard let key = Self.byHash[member.hash], document.isNamed(key.rawValue, member, in: bytes) else { return nil }
        self = key
    }
}

package import PushCryptCore

extension PayloadKey {
    /// The keys by the length of their names.
    private static let byLength: [[PayloadKey]] = {
        let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0
        return (0...longest).map { length in allCases.filter { $0.rawValue.utf8.count == length } }
    }()

    /// Finds the key with the name of a member, in any dictionary.
    ///
    /// - Parameters:
    ///   - member: a member of a scanned payload.
    ///   - document: the scanned payload.
    ///   - bytes: the bytes of the payload.
    package init?(_ member: JSONDocument.Value, of document: JSONDocument, in bytes: Span<UInt8>) {
        guard let name = member.name else { return nil }
        // Escapes only make a name longer, and no key of Apple needs one.
        let candidates =
            member.nameHasEscapes ? Self.allCases : name.count < Self.byLength.count ? Self.byLength[name.count] : []
        for key in candidates where document.isNamed(key.rawValue, member, in: bytes) {
            self = key
            return
        }
        return nil
    }
}

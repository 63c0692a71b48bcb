internal import PushCryptCore

/// The members of a stored keyring that this version knows.
///
/// A newer version may have added a member that its keys can't do without. The keys go on opening
/// and signing, but a program that doesn't know the member must not write the keyring, because it
/// would lose the member.
enum KeyringMembers {
    private static let known: Set<String> = ["generation", "keys"]
    private static let knownOfKeys: Set<String> = [
        "kty", "crv", "x", "d", "use", "kid", "created", "lifetime", "state", "retired", "known",
        "unneeded",
    ]

    /// The version of the file, which a keyring of this version needn't state.
    private static let version: UInt64 = 1

    /// Returns the names of the unknown members of a keyring and of its keys, each once.
    static func unknown(
        in document: JSONDocument, _ bytes: Span<UInt8>, besides additions: KeyringAdditions
    ) -> [String] {
        var names: [String] = []
        for member in document.children(of: document.root) {
            let name = document.name(of: member, in: bytes)
            if name == "version", document.integer(member, in: bytes) == version { continue }
            if !known.contains(name), !additions.names.contains(name) { names.append(name) }
        }
        for key in document.children(of: document.member("keys", in: bytes)) {
            for name in document.children(of: key).map({ document.name(of: $0, in: bytes) })
            where !knownOfKeys.contains(name) && !additions.namesOfKeys.contains(name)
                && !names.contains(name)
            {
                names.append(name)
            }
        }
        return names
    }

    /// Throws `newerFormat` if there are unknown members, or `wrongKeyType` if they are a device's.
    static func check(_ unknown: [String]) throws(PushCryptError) {
        if unknown.isEmpty { return }
        let device = KeyringAdditions.device
        if let name = unknown.first(where: {
            !device.names.contains($0) && !device.namesOfKeys.contains($0)
        }) {
            throw PushCryptError.newerFormat(member: name, of: "keyring")
        }
        throw PushCryptError(
            .wrongKeyType,
            "The keyring is a device's, which only its registration changes. Name another keyring.")
    }
}

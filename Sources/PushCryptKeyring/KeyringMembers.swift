package import PushCryptCore

/// The members that a device stores in its keyring, beside the members of every keyring.
package struct KeyringAdditions: Sendable {
    /// A member, whose value is JSON.
    package struct Member: Sendable {
        package let name: String
        package let json: String

        package init(_ name: String, _ json: String) {
            self.name = name
            self.json = json
        }
    }

    /// The names that the keyring can have.
    let names: Set<String>
    /// The names that each key can have.
    let namesOfKeys: Set<String>
    /// The members of the keyring, in their order.
    package var members: [Member] = []
    /// The member of a key.
    package var notes: [KeyID: Member] = [:]

    package init(names: Set<String> = [], namesOfKeys: Set<String> = []) {
        self.names = names
        self.namesOfKeys = namesOfKeys
    }
}

/// The members of a stored keyring that this version knows.
///
/// A newer version may have added a member that its keys can't do without. The keys go on opening and signing, but a
/// program that doesn't know the member must not write the keyring, because it would lose the member.
enum KeyringMembers {
    private static let known: Set<String> = ["generation", "keys"]
    private static let knownOfKeys: Set<String> = [
        "kty", "crv", "x", "d", "use", "kid", "created", "lifetime", "state", "retired", "known", "unneeded",
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
            where !knownOfKeys.contains(name) && !additions.namesOfKeys.contains(name) && !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    /// The members of a device's keyring, which a program without its registration must not write, either.
    private static let ofDevices: Set<String> = ["clock", "estimated", "counted", "owner", "lists", "signers"]

    /// Throws `newerFormat` if there are unknown members, or `wrongKeyType` if they are a device's.
    static func check(_ unknown: [String]) throws(PushCryptError) {
        guard let name = unknown.first(where: { !ofDevices.contains($0) }) else {
            guard unknown.isEmpty else {
                throw PushCryptError(
                    .wrongKeyType,
                    "The keyring is a device's, which only its registration changes. Name another keyring.")
            }
            return
        }
        throw PushCryptError.newerFormat(member: name, of: "keyring")
    }

    /// Returns the names of the unknown members of a protected keyring, and of its protection.
    static func unknown(inProtected document: JSONDocument, _ bytes: Span<UInt8>) -> [String] {
        func names(_ value: JSONDocument.Value?, besides known: Set<String>) -> [String] {
            document.children(of: value).map { document.name(of: $0, in: bytes) }.filter { !known.contains($0) }
        }
        return names(document.root, besides: ["keyring", "protection"])
            + names(
                document.member("protection", in: bytes),
                besides: ["kdf", "operations", "memory", "salt", "cipher", "nonce"])
    }
}

package import PushCryptCore

/// The members that a device stores in its keyring, beside the members of every keyring.
package struct KeyringAdditions: Sendable {
    /// A member, whose value is JSON.
    package struct Member: Sendable {
        let name: String
        let json: String

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

    private init(names: Set<String>, namesOfKeys: Set<String>) {
        self.names = names
        self.namesOfKeys = namesOfKeys
    }

    /// No members.
    static let none = Self(names: [], namesOfKeys: [])

    /// The members of a device's keyring, without values.
    package static let device = Self(
        names: ["clock", "estimated", "counted", "owner", "lists", "signers"],
        namesOfKeys: ["counted"])
}

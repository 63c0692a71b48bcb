internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Remove a leaked signing key from the keyring, and announce a list without it.",
        discussion: """
            The key never signs again, and a device refuses it from its next registration on. If \
            the command is interrupted, run it again. With a root on another machine, run it here \
            without '--root', and sign there what 'pushcrypt keys public --all' prints here. KEY \
            is the ID of 'pushcrypt keys list'.

            With LIST, the root signs the last list without the key, and needs no other file. Use \
            it only if the \
            list has the server's primary key: otherwise the server doesn't hand it out.

            Example: pushcrypt keys revoke --root server.jwks --keyring server.jwks -o signers.jws \
            -- KEY
            Example: pushcrypt keys revoke --root offline.jwks -o signers.jws -- KEY signers.jws
            """)

    @OptionGroup var options: RootOptions
    @OptionGroup var keyring: KeyringOption

    @Flag(help: "Replace all keys by a new one, because the whole keyring has leaked.") var all =
        false

    @Argument(help: ArgumentHelp("The leaked key.", valueName: "key")) var key: String?

    @Argument(
        help: ArgumentHelp(
            "The last list, on a machine without the server's keyring.", valueName: "list"),
        completion: .file())
    var list: String?

    func validate() throws {
        guard all != (key != nil) else {
            throw ValidationError("Give the key to revoke, or '--all', not both.")
        }
        guard (key?.utf8.count ?? 10) >= 10 else {
            throw ValidationError(
                "The ID of the key is incomplete. Copy it from 'pushcrypt keys list'.")
        }
        try PathArgument.check(list, for: "list")
        guard list == nil || options.root != nil else {
            throw ValidationError("A list is signed by its root. Add '--root KEYRING'.")
        }
        guard list == nil || keyring.keyring == nil && !keyring.passphrase.isGiven else {
            throw ValidationError("Give the server's keyring or the last list, not both.")
        }
        guard options.root == nil || options.output != nil else {
            throw ValidationError("The list that the server hands out is missing. Add '-o LIST'.")
        }
        try options.check(beside: keyring)
    }

    func run() throws {
        let root = try options.root.map { (path) throws(PushCryptError) in try options.ring(path) }
        if let list, let root { return try revoke(from: list, root) }
        try revoke(from: keyring.file(), root)
    }

    // MARK: With the server's keyring

    private func revoke(from file: KeyringArgument, _ root: SigningKeyring?) throws(PushCryptError)
    {
        let passphrase = keyring.passphrase.source(for: keyring.path)
        let keys = SigningKeyringFile(path: keyring.path, passphrase: passphrase)
        let known = try file.explainingErrors { () throws(PushCryptError) in
            try keys.read().publicKeys
        }
        let last = try root.flatMap { (root) throws(PushCryptError) in
            try options.output.flatMap { (path) throws(PushCryptError) in
                try SignerListFile(path: path).readIfPresent(roots: root.publicKeys)
            }
        }
        if let root { try root.checkRoot(isNot: leaked(of: known, root), after: last) }
        // First of all, the key never signs again: devices with the new list reject it.
        try file.explainingErrors { () throws(PushCryptError) in try change(keys, last) }
        guard let root else {
            return Output.hint(
                "devices refuse the key when they get a list without it: run 'pushcrypt keys "
                    + "public --all > all.jwk' "
                    + "here, and 'pushcrypt keys announce --root KEYRING all.jwk -o LIST' on the "
                    + "root's machine"
            )
        }
        try options.announce(root) { () throws(PushCryptError) in try keys.read().publicKeys }
    }

    /// Returns the IDs of the leaked keys: all keys of the server, or the named one of the server
    /// or the root.
    private func leaked(of keys: [VerificationKey], _ root: SigningKeyring) -> [KeyID] {
        guard let key else { return keys.map(\.keyID) }
        return (keys + root.publicKeys).filter { $0.isNamed(key) }.map(\.keyID)
    }

    /// Changes the keyring, unless an earlier run did it and was interrupted.
    private func change(_ file: SigningKeyringFile, _ last: SignerList?) throws(PushCryptError) {
        var effect: Revocation?
        let ring = try file.update { (ring) throws(PushCryptError) in
            if let key {
                effect = try ring.revoke(Self.find(key, in: ring, last), at: Date(), after: last)
            } else {
                effect = try ring.revokeAll(at: Date(), after: last)
            }
        }
        let primary = ring.primary.key.publicKey.keyID
        guard let effect, effect.isChange else {
            return Output.hint("\(file.path) was changed before, and stays as it is")
        }
        Output.hint(
            "revoked \(all ? "all keys" : "the key") in \(file.path); the primary key is \(primary)"
        )
        if effect.newPrimary != nil { warn(about: primary, isKnown: effect.isKnownToDevices) }
    }

    /// Warns of devices that may not know the new primary key.
    private func warn(about primary: KeyID, isKnown: Bool?) {
        if isKnown == false {
            Output.warning(
                "no device knows the primary key \(primary): until its next registration, a "
                    + "device that accepts no "
                    + "other key of the keyring gets a placeholder (no-accepted-key)")
        } else if isKnown == nil {
            Output.warning(
                "this command doesn't know whether a list had the primary key \(primary): if "
                    + "none had it, a device "
                    + "gets a placeholder (no-accepted-key) until its next registration")
        }
    }

    /// Returns the ID of a key of the keyring, or of one that an earlier run removed from it.
    private static func find(
        _ name: String, in ring: SigningKeyring, _ last: SignerList?
    ) throws(PushCryptError) -> KeyID {
        do throws(PushCryptError) {
            return try KeyName.find(name, in: ring)
        } catch {
            guard error.code == .unknownKey else { throw error }
            let isAmbiguous = ring.publicKeys.contains { $0.isNamed(name) }
            if !isAmbiguous, let revoked = last?.keys.first(where: { $0.isNamed(name) }) {
                return revoked.keyID
            }
            throw PushCryptError(
                .unknownKey,
                """
                \(error.reason) A key that was revoked before isn't there: sign its list with \
                'pushcrypt keys announce'.
                """)
        }
    }

    // MARK: With the last list alone

    private func revoke(from list: String, _ root: SigningKeyring) throws(PushCryptError) {
        let file = try Input.signerList(list, roots: root.publicKeys)
        // A key that was revoked since the given list must not come back.
        let given = try newest(of: file, root)
        try root.checkRoot(isNot: leaked(of: given.keys, root), after: given)
        let name = key ?? ""
        guard let key = given.keys.first(where: { $0.isNamed(name) }) else {
            throw PushCryptError(
                .unknownKey,
                """
                \(list) doesn't have this key, perhaps since an earlier run. Otherwise, give the \
                last list.
                """)
        }
        let rest = given.keys.filter { $0 != key }
        guard !rest.isEmpty else {
            throw PushCryptError(
                .malformedSignerList,
                """
                \(list) has no other key. Replace the key on the server first, and announce what \
                'pushcrypt keys public --all' prints there.
                """)
        }
        try options.announce(root, following: given) { () throws(PushCryptError) in rest }
        Output.warning(
            "the server hands this list out only if it has the server's primary key: compare "
                + "'pushcrypt keys list' "
                + "there with \(rest.map { "\($0.keyID)" }.joined(separator: ", ")), or announce "
                + "the server's keys"
        )
    }

    /// Returns the output's list, if it is newer than the given one.
    private func newest(of given: SignerList, _ root: SigningKeyring) throws(PushCryptError)
        -> SignerList
    {
        guard let output = options.output,
            let last = try SignerListFile(path: output).readIfPresent(roots: root.publicKeys),
            last.rootKid == given.rootKid, last.number > given.number
        else { return given }
        Output.hint("\(output) is newer than the given list, and its keys count")
        return last
    }
}

extension VerificationKey {
    /// Returns a Boolean value that indicates whether a name on the command line is this key's ID,
    /// or begins its `kid`.
    func isNamed(_ name: String) -> Bool { kid.hasPrefix(name) || keyID.description == name }
}

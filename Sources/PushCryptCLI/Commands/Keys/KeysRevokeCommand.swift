internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Remove a leaked signing key from the keyring, and announce a list without it.",
        discussion: """
            The key never signs again, and a device refuses it from its next registration on. If the command is \
            interrupted, run it again. With a root on another machine, run it here without '--root', and sign there \
            what 'pushcrypt keys public --all' prints here. KEY is the ID of 'pushcrypt keys list'.

            With LIST, the root signs the last list without the key, and needs no other file. Use it only if the \
            list has the server's primary key: otherwise the server doesn't hand it out.

            Example: pushcrypt keys revoke --root server.jwks --keyring server.jwks -o signers.jws -- KEY
            Example: pushcrypt keys revoke --root offline.jwks -o signers.jws -- KEY signers.jws
            """)

    @OptionGroup var options: RootOptions
    @OptionGroup var keyring: KeyringOption

    @Flag(help: "Replace all keys by a new one, because the whole keyring has leaked.") var all = false

    @Argument(help: ArgumentHelp("The leaked key.", valueName: "key")) var key: String?

    @Argument(
        help: ArgumentHelp("The last list, on a machine without the server's keyring.", valueName: "list"),
        completion: .file())
    var list: String?

    func validate() throws {
        guard all != (key != nil) else { throw ValidationError("Give the key to revoke, or '--all', not both.") }
        guard (key?.utf8.count ?? 10) >= 10 else {
            throw ValidationError("The ID of the key is incomplete. Copy it from 'pushcrypt keys list'.")
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

    private func revoke(
        from file: KeyringArgument, _ root: Keyring<SigningKey>?
    ) throws(PushCryptError) {
        let passphrase = keyring.passphrase.source(for: keyring.path)
        let keys = KeyringFile<SigningKey>(path: keyring.path, passphrase: passphrase)
        let known = try file.explainingErrors { () throws(PushCryptError) in try keys.read().publicKeys }
        let last = try root.flatMap { (root) throws(PushCryptError) in
            try options.output.flatMap { (path) throws(PushCryptError) in
                try SignerListFile(path: path).readIfPresent(roots: root.publicKeys)
            }
        }
        if let root { try checkRoot(root, after: last, with: known) }
        // First of all, the key never signs again: devices with the new list reject it.
        try file.explainingErrors { () throws(PushCryptError) in try change(keys, last) }
        guard let root else {
            return Output.hint(
                "devices refuse the key when they get a list without it: run 'pushcrypt keys public --all > all.jwk' "
                    + "here, and 'pushcrypt keys announce --root KEYRING all.jwk -o LIST' on the root's machine")
        }
        try options.announce(root) { () throws(PushCryptError) in try keys.read().publicKeys }
    }

    /// Removes the key from the keyring, unless an earlier run did it and was interrupted.
    private func change(_ file: KeyringFile<SigningKey>, _ last: SignerList?) throws(PushCryptError) {
        let now = Date()
        var isNew = false
        var isDone = false
        var isReplaced = false
        let ring = try file.update { (ring) throws(PushCryptError) in
            if let key {
                if Self.isRevoked(key, in: ring, before: last) { return }
                let primary = ring.primary.key.publicKey
                isNew = try ring.revoke(Self.find(key, in: ring), at: now, preferring: last?.keys ?? [])
                isReplaced = ring.primary.key.publicKey != primary
            } else {
                if try Self.isReplaced(ring, before: last, at: now) { return }
                try ring.replaceAll(at: now)
                isNew = true
                isReplaced = true
            }
            isDone = true
        }
        let primary = ring.primary.key.publicKey.keyID
        Output.hint(
            isDone
                ? "revoked \(all ? "all keys" : "the key") in \(file.path); the primary key is \(primary)"
                : "\(file.path) was changed before, and stays as it is")
        if isDone, isReplaced { warn(about: ring.primary.key.publicKey, isNew: isNew, last) }
    }

    /// Warns of devices that may not know the new primary key.
    private func warn(about key: VerificationKey, isNew: Bool, _ last: SignerList?) {
        let primary = key.keyID
        if isNew || last?.keys.contains(key) == false {
            Output.warning(
                "no device knows the primary key \(primary): until its next registration, a device that accepts no "
                    + "other key of the keyring gets a placeholder (no-accepted-key)")
        } else if last == nil {
            Output.warning(
                "this command doesn't know whether a list had the primary key \(primary): if none had it, a device "
                    + "gets a placeholder (no-accepted-key) until its next registration")
        }
    }

    private static func find(_ name: String, in ring: Keyring<SigningKey>) throws(PushCryptError) -> KeyID {
        do throws(PushCryptError) {
            return try KeyName.find(name, in: ring)
        } catch {
            guard error.code == .unknownKey else { throw error }
            throw PushCryptError(
                .unknownKey,
                """
                \(error.reason) A key that was revoked before isn't there: sign its list with 'pushcrypt keys announce'.
                """)
        }
    }

    /// Returns a Boolean value that indicates whether an interrupted run has replaced all keys, and has signed no list.
    ///
    /// - Throws: ``PushCryptError`` with `riskyChange` if the only key is new, and no list tells whether it has leaked,
    ///   too.
    private static func isReplaced(
        _ ring: Keyring<SigningKey>, before last: SignerList?, at now: Date
    ) throws(PushCryptError) -> Bool {
        let isFresh = now.timeIntervalSince(ring.primary.created) < 24 * 3600
        guard ring.keys.count == 1, ring.generation > 1, isFresh else { return false }
        let key = ring.primary.key.publicKey
        if let last, !last.keys.contains(key) { return true }
        throw PushCryptError(
            .riskyChange,
            """
            The only key, \(key.keyID), is new: an earlier command has replaced the others. If it has leaked, too, \
            revoke it by this ID. Otherwise announce it with 'pushcrypt keys announce'. Nothing was changed.
            """)
    }

    /// Returns a Boolean value that indicates whether the last list has a key that the keyring has no longer.
    private static func isRevoked(
        _ name: String, in ring: Keyring<SigningKey>, before last: SignerList?
    ) -> Bool {
        !ring.publicKeys.contains { $0.isNamed(name) } && last?.keys.contains { $0.isNamed(name) } == true
    }

    // MARK: With the last list alone

    private func revoke(from list: String, _ root: Keyring<SigningKey>) throws(PushCryptError) {
        let file = try SignerListFile(path: list).read(roots: root.publicKeys)
        // A key that was revoked since the given list must not come back.
        let given = try newest(of: file, root)
        try checkRoot(root, after: given, with: given.keys)
        let name = key ?? ""
        guard let key = given.keys.first(where: { $0.isNamed(name) }) else {
            throw PushCryptError(
                .unknownKey,
                "\(list) doesn't have this key, perhaps since an earlier run. Otherwise, give the last list.")
        }
        let rest = given.keys.filter { $0 != key }
        guard !rest.isEmpty else {
            throw PushCryptError(
                .malformedSignerList,
                """
                \(list) has no other key. Replace the key on the server first, and announce what 'pushcrypt keys \
                public --all' prints there.
                """)
        }
        try options.announce(root, following: given) { () throws(PushCryptError) in rest }
        Output.warning(
            "the server hands this list out only if it has the server's primary key: compare 'pushcrypt keys list' "
                + "there with \(rest.map { "\($0.keyID)" }.joined(separator: ", ")), or announce the server's keys")
    }

    /// Returns the output's list, if it is newer than the given one.
    private func newest(of given: SignerList, _ root: Keyring<SigningKey>) throws(PushCryptError) -> SignerList {
        guard let output = options.output,
            let last = try SignerListFile(path: output).readIfPresent(roots: root.publicKeys),
            last.rootKid == given.rootKid, last.number > given.number
        else { return given }
        Output.hint("\(output) is newer than the given list, and its keys count")
        return last
    }

    /// Throws if the leaked key is the root, whose thief can sign lists.
    private func checkRoot(
        _ ring: Keyring<SigningKey>, after last: SignerList?, with keys: [VerificationKey]
    ) throws(PushCryptError) {
        let root = RootOptions.root(in: ring, after: last).publicKey
        let isRoot = if let key { root.isNamed(key) } else { keys.contains(root) }
        guard !isRoot else {
            throw PushCryptError(
                .wrongKeyState,
                """
                The key \(root.keyID) is the root itself, and its thief can sign lists. If the app pins an offline \
                root before it, run this without '--root', and sign the list there. Otherwise ship an app that pins \
                another root. Nothing was changed.
                """)
        }
    }
}

extension VerificationKey {
    /// Returns a Boolean value that indicates whether a name on the command line is this key's ID, or begins its `kid`.
    func isNamed(_ name: String) -> Bool { kid.hasPrefix(name) || keyID.description == name }
}

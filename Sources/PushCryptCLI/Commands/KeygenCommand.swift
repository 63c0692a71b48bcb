internal import ArgumentParser
internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// Makes a keyring, or rotates the keys of one.
struct KeygenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Make a keyring, or rotate it; print the new public key.",
        discussion: """
            Where there is no keyring, one is made, with one new key. Where there is one, a new primary key is added and \
            the old one retired: it still opens what is under way. With --pending the new key is only prepared, and \
            'pushcrypt keys promote' puts it into use. The file is of mode 0600, and its folder is made if need be. \
            Standard output gets the new public key, a JWK on one line, and nothing secret.
            """)

    @OptionGroup var keyring: KeyringOption

    @Option(
        help: """
            What the keys are for: enc (a device opens with them) or sig (a server signs with them). Default: what the \
            keyring is for, else enc.
            """)
    var use: KeyUse?

    @Flag(help: "Prepare a key without putting it into use.")
    var pending = false

    @Flag(
        name: .customLong("unless-pending"),
        help: "With --pending: do nothing where a key is pending already. For schedules.")
    var unlessPending = false

    @Flag(help: "Protect a keyring that is made by a passphrase. One that is protected stays so.")
    var protect = false

    func validate() throws {
        guard pending || !unlessPending else { throw ValidationError("'--unless-pending' goes with '--pending'.") }
        guard !pending || !protect else {
            throw ValidationError("'--protect' is for a keyring that is made, and '--pending' for one that is there.")
        }
    }

    func run() throws {
        guard let jwk = try makeKey() else {
            Output.hint("a key is pending already: nothing was changed")
            return
        }
        keyring.passphrase.warnIfUseless(for: keyring.path)
        do {
            try Output.line(jwk)
        } catch {
            Output.hint("the key is made all the same: 'pushcrypt keys public --all' prints its public half")
            throw error
        }
    }

    private func makeKey() throws -> String? {
        let path = keyring.path
        let exists = FileManager.default.fileExists(atPath: path)
        try keyring.naming { () throws(PushCryptError) in try checkProtection(exists) }
        if !exists { try keyring.naming { () throws(PushCryptError) in try makeFolder() } }
        let passphrase = keyring.passphrase.source(for: path, confirming: protect && !exists)
        let isNew = !exists && protect
        // Asked before the file is locked: somebody may take long to type.
        if isNew || (exists && (try? KeyUse.isProtected(path)) == true) { _ = try passphrase() }
        return try keyring.naming { () throws(PushCryptError) in
            let use: KeyUse =
                if let use { use } else { exists ? try keyring.use(passphrase) : .enc }
            switch use {
            case .enc:
                return try change(
                    KeyringFile<RecipientPrivateKey>(path: path, passphrase: passphrase, protectsNewFiles: isNew), isNew
                )
            case .sig:
                return try change(
                    KeyringFile<SigningKey>(path: path, passphrase: passphrase, protectsNewFiles: isNew), isNew)
            }
        }
    }

    /// Nobody must believe that a keyring is under a passphrase when it is not.
    private func checkProtection(_ exists: Bool) throws(PushCryptError) {
        let path = keyring.path
        if exists {
            guard protect, try !KeyUse.isProtected(path) else { return }
            throw PushCryptError(
                .fileExists,
                "It is there already, and not under a passphrase; '--protect' is for a keyring that is made. Nothing was changed."
            )
        }
        if pending {
            throw PushCryptError(.fileNotFound, "There is no keyring yet. Make it first, with 'pushcrypt keygen'.")
        }
        guard protect || !keyring.passphrase.isGiven else {
            throw PushCryptError(
                .passphraseRequired,
                "A passphrase was given for a keyring that is not there yet. Add '--protect' to make it under that passphrase."
            )
        }
    }

    private func change<Key: PrivateKey>(
        _ file: KeyringFile<Key>, _ isProtectedNew: Bool
    ) throws(PushCryptError) -> String? {
        let now = Date()
        let ring: Keyring<Key>
        var new: Key?
        if pending {
            ring = try file.change { (ring) throws(PushCryptError) in
                if unlessPending, !ring.pending.isEmpty { return }
                // The new key's age is counted from this time.
                try ring.checkClock(now)
                new = try ring.prepare(at: now).key
            }
        } else {
            ring = try isProtectedNew ? make(file, now) : file.createOrRotate(at: now)
            new = ring.primary.key
        }
        guard let new else { return nil }
        Output.hint(hint(ring))
        return new.publicKey.jwk
    }

    /// Makes a keyring under a passphrase, and rotates none that somebody has made without one meanwhile.
    private func make<Key: PrivateKey>(_ file: KeyringFile<Key>, _ now: Date) throws(PushCryptError) -> Keyring<Key> {
        let new = try Keyring<Key>(createdAt: now)
        try file.updateOrCreate { (ring) throws(PushCryptError) in
            guard ring == nil else {
                throw PushCryptError(.fileExists, "Somebody has made it meanwhile. Nothing was changed.")
            }
            ring = new
        }
        return new
    }

    private func hint<Key: PrivateKey>(_ ring: Keyring<Key>) -> String {
        let path = keyring.path
        if pending {
            return
                "prepared a key in \(path), generation \(ring.generation); 'pushcrypt keys promote' puts it into use"
        }
        if ring.generation == 1 { return "made \(path); keep it secret and back it up" }
        let old =
            Key.self == SigningKey.self
            ? "devices accept the old key for as long as they know it"
            : "the old key still opens what is under way"
        return "rotated \(path) to generation \(ring.generation); \(old)"
    }

    private func makeFolder() throws(PushCryptError) {
        let folder = FileNames.folder(of: keyring.path)
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        try PrivateDirectory.make(folder)
    }
}

internal import ArgumentParser
internal import Foundation
internal import PushCryptCore

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

    @Flag(help: "Protect a keyring that is made by a passphrase. One that is protected stays so.")
    var protect = false

    func run() throws {
        let jwk = try makeKey()
        do {
            try Output.line(jwk)
        } catch {
            Output.hint("the key is made all the same: 'pushcrypt keys public --all' prints its public half")
            throw error
        }
    }

    private func makeKey() throws -> String {
        let path = keyring.path
        try makeFolder()
        let exists = FileManager.default.fileExists(atPath: path)
        let passphrase = keyring.passphrase.source(for: path, confirming: protect && !exists)
        return try keyring.naming { () throws(PushCryptError) in
            let use: KeyUse =
                if let use { use } else { exists ? try keyring.use(passphrase) : .enc }
            let isNew = !exists && protect
            switch use {
            case .enc:
                return try change(
                    KeyringFile<RecipientPrivateKey>(path: path, passphrase: passphrase, protectsNewFiles: isNew))
            case .sig:
                return try change(KeyringFile<SigningKey>(path: path, passphrase: passphrase, protectsNewFiles: isNew))
            }
        }
    }

    private func change<Key: PrivateKey>(_ file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let now = Date()
        let ring: Keyring<Key>
        let new: Key
        if pending {
            ring = try file.change { (ring) throws(PushCryptError) in try ring.prepare(at: now) }
            new = ring.pending.last?.key ?? ring.primary.key
        } else {
            ring = try file.makeOrRotate(at: now)
            new = ring.primary.key
        }
        Output.hint(hint(ring))
        return new.publicKey.jwk
    }

    private func hint<Key: PrivateKey>(_ ring: Keyring<Key>) -> String {
        let path = keyring.path
        if pending {
            return
                "prepared a key in \(path), generation \(ring.generation); 'pushcrypt keys promote' puts it into use"
        }
        if ring.generation == 1 { return "made \(path); keep it secret and back it up" }
        return "rotated \(path) to generation \(ring.generation); the old key still opens what is under way"
    }

    private func makeFolder() throws(PushCryptError) {
        let folder = URL(fileURLWithPath: keyring.path).deletingLastPathComponent().path
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        try keyring.naming { () throws(PushCryptError) in try PrivateFolder.make(folder) }
    }
}

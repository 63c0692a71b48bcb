internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysPromoteCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Promote a pending key, retire the old primary, and print the new public key.",
        discussion: """
            Do this when all devices know the new key.

            Example: pushcrypt keys promote --keyring server.jwks > server.jwk
            """)

    @OptionGroup var keyring: KeyringOption

    @Argument(help: ArgumentHelp("The pending key. Default: the only one.", valueName: "key")) var key: String?

    @Option(
        help: ArgumentHelp("Promote the oldest pending key only if it has this age, as in 80d.", valueName: "age"),
        transform: Period.seconds)
    var olderThan: TimeInterval?

    func validate() throws {
        guard key == nil || olderThan == nil else { throw ValidationError("Give KEY or '--older-than', not both.") }
    }

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let now = Date()
        var isDone = false
        let ring = try file.update { (ring) throws(PushCryptError) in
            guard let id = try id(in: ring, now) else { return }
            try ring.promote(id, at: now)
            isDone = true
        }
        if !isDone { Output.hint("no pending key has this age: nothing was changed") }
        return isDone ? ring.primary.key.publicKey.jwk : ""
    }

    private func id<Key: PrivateKey>(in ring: Keyring<Key>, _ now: Date) throws(PushCryptError) -> KeyID? {
        guard let olderThan else { return try KeyName.pending(key, in: ring) }
        // A wrong clock would promote a key that devices don't know yet, or none for years.
        try ring.checkClock(now)
        guard let oldest = ring.pending.min(by: { $0.created < $1.created }),
            now.timeIntervalSince(oldest.created) >= olderThan
        else { return nil }
        return oldest.key.publicKey.keyID
    }
}

struct KeysRetireCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Retire a pending key without promoting it.",
        discussion: """
            It still opens messages, for 30 days and 48 hours. To retire the primary key, use 'pushcrypt keygen' or \
            'pushcrypt keys promote'.

            Example: pushcrypt keys retire --keyring server.jwks
            """)

    @OptionGroup var keyring: KeyringOption

    @Argument(help: ArgumentHelp("The pending key. Default: the only one.", valueName: "key")) var key: String?

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let now = Date()
        let ring = try file.update { (ring) throws(PushCryptError) in
            try ring.retire(KeyName.pending(key, in: ring), at: now)
        }
        Output.hint("retired \(ring.retired[0].key.publicKey.keyID)")
        return ""
    }
}

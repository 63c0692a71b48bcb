internal import ArgumentParser
internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// Makes a pending key the primary one.
struct KeysPromoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Make a pending key the primary one, and retire that; print its public half.",
        discussion: "Do it when everybody who must know the new key does.")

    @OptionGroup var keyring: KeyringOption

    @Argument(
        help: ArgumentHelp(
            "The pending key; not needed where there is one alone. Put -- before it where it begins with a hyphen.",
            valueName: "key"))
    var key: String?

    @Option(
        name: .customLong("older-than"),
        help: ArgumentHelp(
            "Promote the oldest pending key, and only if it is that many days old; otherwise do nothing. For schedules.",
            valueName: "days"))
    var olderThan: Int?

    func validate() throws {
        guard key == nil || olderThan == nil else {
            throw ValidationError("Name a key or give '--older-than', not both.")
        }
        guard (olderThan ?? 0) >= 0 else { throw ValidationError("'--older-than' is a number of days.") }
    }

    func run() throws {
        guard let jwk = try keyring.perform(Work(name: key, olderThan: olderThan, now: Date())) else {
            Output.hint("no pending key is that old: nothing was changed")
            return
        }
        do {
            try Output.line(jwk)
        } catch {
            Output.hint("the key is promoted all the same: 'pushcrypt keys public' prints its public half")
            throw error
        }
    }

    private struct Work: KeyringWork {
        let name: String?
        let olderThan: Int?
        let now: Date

        func run<Key: PrivateKey>(_ file: KeyringFile<Key>, _: KeyUse) throws(PushCryptError) -> String? {
            var isDone = false
            let ring = try file.change { (ring) throws(PushCryptError) in
                guard let id = try id(in: ring) else { return }
                try ring.promote(id, at: now)
                isDone = true
            }
            return isDone ? ring.primary.key.publicKey.jwk : nil
        }

        private func id<Key: PrivateKey>(in ring: Keyring<Key>) throws(PushCryptError) -> KeyID? {
            guard let olderThan else { return try KeyName.pending(name, in: ring) }
            // A clock that is wrong would promote a key that nobody knows yet, or none for years.
            try ring.checkClock(now)
            let oldest = ring.pending.min { $0.created < $1.created }
            return oldest.flatMap {
                now.timeIntervalSince($0.created) >= Double(olderThan) * 24 * 3600 ? $0.key.publicKey.keyID : nil
            }
        }
    }
}

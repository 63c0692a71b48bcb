internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysPruneCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Destroy the retired keys that are due, 30 days and 48 hours after they were retired.",
        discussion: """
            Standard output gets one line per destroyed key: its ID and the reason. If the clock is implausible, no \
            key is destroyed. With --leaked, a retired key is destroyed at once, and messages that are on their way \
            to it do not open. 'pushcrypt keys list' shows the keys that are due.

            Example: pushcrypt keys prune --keyring server.jwks
            """)

    @OptionGroup var keyring: KeyringOption

    // Unconditional, because one ID in 64 begins with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Destroy this retired key now, because it has leaked. May be repeated.", valueName: "key"))
    var leaked: [String] = []

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let now = Date()
        var lines: [String] = []
        try file.update { (ring) throws(PushCryptError) in
            if leaked.isEmpty, var devices = ring as? Keyring<RecipientPrivateKey> {
                lines = try devices.prune(at: now).map { line($0) }
                if let changed = devices as? Keyring<Key> { ring = changed }
            }
            for name in leaked {
                guard name.utf8.count >= 10 else {
                    throw PushCryptError(.unknownKey, "The ID is incomplete. Copy it from 'pushcrypt keys list'.")
                }
                let id = try KeyName.find(name, in: ring)
                try ring.destroy(id)
                lines.append("\(id)  leaked")
            }
        }
        if lines.isEmpty { Output.hint("no key is due") }
        return lines.joined(separator: "\n")
    }

    private func line<Key: PrivateKey>(_ entry: Keyring<Key>.RetiredEntry) -> String {
        let days = [entry.retired, entry.expiration].map { $0.formatted(.iso8601.year().month().day()) }
        return "\(entry.key.publicKey.keyID)  retired \(days[0]), due since \(days[1])"
    }
}

internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysPruneCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Destroy the retired keys that are due, 30 days and 48 hours after they were retired.",
        discussion: """
            Standard output gets one line per destroyed key: its ID and the reason. If the clock is implausible, no key \
            is destroyed. With --leaked, a retired key is destroyed at once, and messages that are on their way to it do \
            not open.

            Example: pushcrypt keys prune --dry-run
            """)

    @OptionGroup var keyring: KeyringOption

    @Flag(help: "Print what would be destroyed, and destroy nothing.")
    var dryRun = false

    // Unconditional, because one ID in 64 begins with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Destroy this retired key now, because it has leaked. May be repeated.", valueName: "key"))
    var leaked: [String] = []

    var hintIfOutputFails: String? {
        dryRun ? nil : "the keys are destroyed nevertheless: 'pushcrypt keys list' shows the others"
    }

    func output<Key: PrivateKey>(of file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let now = Date()
        var lines: [String] = []
        func destroy(_ ring: inout Keyring<Key>) throws(PushCryptError) {
            if leaked.isEmpty { lines = try ring.prune(at: now).map(line) }
            for name in leaked {
                guard name.utf8.count >= 10 else {
                    throw PushCryptError(.unknownKey, "The ID is incomplete. Copy it from 'pushcrypt keys list'.")
                }
                let id = try KeyName.find(name, in: ring)
                try ring.destroy(id)
                lines.append("\(id)  leaked")
            }
        }
        if dryRun {
            var ring = try file.read()
            try destroy(&ring)
        } else {
            try file.update(destroy)
        }
        if lines.isEmpty { Output.hint("no key is due") }
        if dryRun { Output.hint("nothing was destroyed: this was a dry run") }
        return lines.joined(separator: "\n")
    }

    private func line<Key: PrivateKey>(_ entry: Keyring<Key>.RetiredEntry) -> String {
        let days = [entry.retired, entry.expiration].map { $0.formatted(.iso8601.year().month().day()) }
        return "\(entry.key.publicKey.keyID)  retired \(days[0]), due since \(days[1])"
    }
}

internal import ArgumentParser
internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// Destroys keys whose time is over.
struct KeysPruneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Destroy the retired keys that are due: 30 days and 48 hours after they were retired.",
        discussion: """
            Standard output gets a line for each key that is gone: its id, and why. Where the clock cannot be right, \
            nothing is destroyed. With --leaked a retired key is destroyed at once, due or not; what is under way to it \
            will not open.
            """)

    @OptionGroup var keyring: KeyringOption

    @Flag(name: .customLong("dry-run"), help: "Say what would be destroyed, and destroy nothing.")
    var dryRun = false

    // Unconditional, because one id in 64 begins with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Destroy this retired key now, because it has leaked. May be repeated.", valueName: "key"))
    var leaked: [String] = []

    func run() throws {
        let lines = try keyring.perform(Work(now: Date(), dryRun: dryRun, leaked: leaked))
        if lines.isEmpty {
            Output.hint("no key is due")
        } else {
            do {
                try Output.line(lines.joined(separator: "\n"))
            } catch {
                if !dryRun { Output.hint("the keys are gone all the same: 'pushcrypt keys list' shows what is left") }
                throw error
            }
        }
        if dryRun { Output.hint("nothing was destroyed: this was a dry run") }
    }

    private struct Work: KeyringWork {
        let now: Date
        let dryRun: Bool
        let leaked: [String]

        func run<Key: PrivateKey>(_ file: KeyringFile<Key>, _: KeyUse) throws(PushCryptError) -> [String] {
            guard !leaked.isEmpty else { return try prune(file).map(line) }
            var lines: [String] = []
            func destroy(_ ring: inout Keyring<Key>) throws(PushCryptError) {
                for name in leaked {
                    let id = try KeyName.find(name, in: ring)
                    try ring.destroy(id)
                    lines.append("\(id)  leaked")
                }
            }
            if dryRun {
                var ring = try file.read()
                try destroy(&ring)
            } else {
                try file.change(destroy)
            }
            return lines
        }

        private func prune<Key: PrivateKey>(
            _ file: KeyringFile<Key>
        ) throws(PushCryptError) -> [Keyring<Key>.RetiredEntry] {
            if dryRun { return try file.read().due(at: now) }
            var gone: [Keyring<Key>.RetiredEntry] = []
            try file.change { (ring) throws(PushCryptError) in gone = try ring.prune(at: now) }
            return gone
        }

        private func line<Key: PrivateKey>(_ entry: Keyring<Key>.RetiredEntry) -> String {
            let retired = entry.retired.formatted(.iso8601.year().month().day())
            let due = entry.expiration.formatted(.iso8601.year().month().day())
            return "\(entry.key.publicKey.keyID)  retired \(retired), due since \(due)"
        }
    }
}

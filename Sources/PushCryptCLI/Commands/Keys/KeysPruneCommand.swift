internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysPruneCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract:
            "Destroy the retired keys that are due, 30 days and 48 hours after they were retired.",
        discussion: """
            Standard output gets one line per destroyed key: its ID and the reason. If the clock \
            is implausible, no key is destroyed. With --leaked, a device's retired key is \
            destroyed at once, and messages that are on their way to it do not open. 'pushcrypt \
            keys list' shows the keys that are due.

            A retired signing key is kept, because it signs for devices that accept no newer one. \
            With '--recipients', it is destroyed if no device has needed it for 32 days: the \
            keyring remembers the first run that found so. Give all devices: others show \
            (Encrypted) from then on. The first key is kept, because apps may pin it.

            Example: pushcrypt keys prune --keyring device.jwks
            Example: pushcrypt keys prune --recipients devices.ndjson --keyring server.jwks
            """)

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var recipients: RecipientsOption

    // Unconditional, because one ID in 64 begins with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Destroy this retired key now, because it has leaked. May be repeated.",
            valueName: "key"))
    var leaked: [String] = []

    func validate() throws {
        guard leaked.isEmpty || recipients.recipients == nil else {
            throw ValidationError("Give '--leaked' or '--recipients', not both.")
        }
        try recipients.check(beside: keyring)
    }

    private static let isRevocation = PushCryptError(
        .wrongKeyState,
        """
        '--leaked' is for a device's keys, but this keyring has signing keys. Use 'pushcrypt keys \
        revoke', so that devices refuse the key. Nothing was changed.
        """)

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        guard leaked.isEmpty || KeyUse(Key.self) != .sig else { throw Self.isRevocation }
        let now = Date()
        // The devices are counted before the file is locked: reading them may take long.
        let counts = try recipients.counts(in: file.read())
        var lines: [String] = []
        let ring = try file.update { (ring) throws(PushCryptError) in
            lines = try leaked.isEmpty ? prune(&ring, counts, at: now) : destroyLeaked(in: &ring)
        }
        if leaked.isEmpty, lines.isEmpty { hint(ring, hasCounts: counts != nil) }
        return lines.joined(separator: "\n")
    }

    /// Says why no key was destroyed.
    private func hint<Key: PrivateKey>(_ ring: Keyring<Key>, hasCounts: Bool) {
        let unneeded = hasCounts ? ring.retired.filter { $0.unneeded != nil }.count : 0
        let isServer = KeyUse(Key.self) == .sig && !ring.retired.isEmpty
        func keys(_ count: Int) -> String { "\(count) retired \(count == 1 ? "key" : "keys")" }
        if unneeded > 0 {
            Output.hint(
                """
                kept \(keys(unneeded)) that no device needs: run this again in 32 days, or on a \
                schedule
                """)
        } else if isServer, !hasCounts {
            Output.hint(
                "kept \(keys(ring.retired.count)), because devices may accept no newer key; "
                    + "'--recipients' tells "
                    + "which none needs")
        } else {
            Output.hint("no key is due")
        }
    }

    private func prune<Key: PrivateKey>(
        _ ring: inout Keyring<Key>, _ counts: RecipientCounts?, at now: Date
    ) throws(PushCryptError) -> [String] {
        var lines: [String] = []
        if var devices = ring as? Keyring<RecipientPrivateKey> {
            lines = try devices.prune(at: now).map { line($0) }
            if let changed = devices as? Keyring<Key> { ring = changed }
        } else if let counts, var server = ring as? Keyring<SigningKey> {
            lines = try server.prune(at: now, recipients: counts.representatives).map { line($0) }
            if let changed = server as? Keyring<Key> { ring = changed }
        }
        return lines
    }

    private func destroyLeaked<Key: PrivateKey>(in ring: inout Keyring<Key>) throws(PushCryptError)
        -> [String]
    {
        var lines: [String] = []
        for name in leaked {
            guard name.utf8.count >= 10 else {
                throw PushCryptError(
                    .unknownKey, "The ID is incomplete. Copy it from 'pushcrypt keys list'.")
            }
            let id = try KeyName.find(name, in: ring)
            try ring.destroy(id)
            lines.append("\(id)  leaked")
        }
        return lines
    }

    private func line<Key: PrivateKey>(_ entry: Keyring<Key>.RetiredEntry) -> String {
        let since = entry.unneeded ?? entry.expiration
        let days = [entry.retired, since].map { $0.isoDay }
        let reason = entry.unneeded == nil ? "due" : "unneeded"
        return "\(entry.key.publicKey.keyID)  retired \(days[0]), \(reason) since \(days[1])"
    }
}

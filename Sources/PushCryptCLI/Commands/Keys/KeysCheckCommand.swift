internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysCheckCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a keyring file: owner, mode, contents, and that all key pairs match.",
        discussion: """
            The file is not modified. The exit status is 65 if the file is invalid, 1 if it cannot be read. Warns of \
            keys that are due to be destroyed, and of a primary key that is older than a year.

            With '--recipients', standard output gets a table: how many devices accept which key of a server. With \
            '--list', the list that the server hands out is checked too: signature, expiration, and its keys.

            Example: pushcrypt keys check --keyring server.jwks
            Example: pushcrypt keys check --list signers.jws --root root.jwk --recipients devices.ndjson
            """)

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var list: ListOption
    @OptionGroup var recipients: RecipientsOption

    @Flag(help: KeyringOption.mountedHelp) var mounted = false

    func validate() throws { try recipients.check(beside: keyring) }

    func run() throws {
        let text: String
        do throws(PushCryptError) {
            text = try describe()
        } catch {
            Output.error(error)
            let unreadable: [PushCryptError.Code] = [
                .fileNotFound, .fileSystemError, .passphraseRequired, .wrongPassphrase, .sodiumUnavailable,
            ]
            throw unreadable.contains(error.code) ? ExitStatus.failure : ExitStatus.input
        }
        if !text.isEmpty { try Output.line(text) }
    }

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let ring = try file.read()
        let now = Date()
        let counts = try recipients.counts(in: ring)
        guard let server = ring as? Keyring<SigningKey> else {
            guard list.list == nil else {
                throw PushCryptError(
                    .wrongKeyType, "'--list' requires a keyring of signing keys. Name the server's keyring.")
            }
            warnOfDueKeys { () throws(PushCryptError) in try ring.expiredKeys(at: now).count }
            report(ring, in: file.path, at: now, rotation: "'pushcrypt keygen' rotates it")
            return ""
        }
        warnOfDueKeys { () throws(PushCryptError) in
            try server.checkClock(now)
            guard let counts else { return 0 }
            var copy = server
            return try copy.prune(at: now, recipients: counts.representatives).count
        }
        try ListCheck(ring: server, option: list, now: now).run()
        if counts == nil, server.keys.count > 1 {
            Output.hint("how many devices accept which key is unknown without '--recipients'")
        }
        report(server, in: file.path, at: now, rotation: "'pushcrypt keygen --pending' prepares the next one")
        return counts?.table(of: server).joined(separator: "\n") ?? ""
    }

    private func warnOfDueKeys(_ count: () throws(PushCryptError) -> Int) {
        do throws(PushCryptError) {
            let due = try count()
            if due > 0 {
                Output.warning(
                    "\(due) retired \(due == 1 ? "key is" : "keys are") due: 'pushcrypt keys prune' destroys them")
            }
        } catch {
            Output.warning(error.reason)
        }
    }

    private func report<Key: PrivateKey>(
        _ ring: Keyring<Key>, in path: String, at now: Date, rotation: String
    ) {
        if now.timeIntervalSince(ring.primary.created) > 366 * 24 * 3600 {
            Output.warning("the primary key is more than a year old: \(rotation)")
        }
        Output.hint(
            "\(path) is valid: generation \(ring.generation), use \(KeyUse(Key.self).rawValue), 1 primary, "
                + "\(ring.pending.count) pending, \(ring.retired.count) retired")
    }
}

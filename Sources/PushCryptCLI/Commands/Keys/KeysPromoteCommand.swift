internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysPromoteCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Promote a pending key, retire the old primary, and print the new public key.",
        discussion: """
            The old signing key goes on signing for devices that accept no newer one, if you seal \
            for their registrations. For a device whose key alone you know, the new key signs. \
            With '--list', a key that the list doesn't have isn't promoted. A schedule of a server \
            needs '--list' or '--recipients', because its hints may remain unread.

            Example: pushcrypt keys promote --recipients devices.ndjson --keyring server.jwks
            Example: pushcrypt keys promote --older-than 80d --list signers.jws
            """)

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var list: ListOption
    @OptionGroup var recipients: RecipientsOption

    @Argument(help: ArgumentHelp("The pending key. Default: the only one.", valueName: "key"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Promote the oldest pending key only if it has this age, as in 80d.", valueName: "age"),
        transform: Period.seconds)
    var olderThan: TimeInterval?

    func validate() throws {
        guard key == nil || olderThan == nil else {
            throw ValidationError("Give KEY or '--older-than', not both.")
        }
        try recipients.check(beside: keyring)
    }

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let now = Date()
        let isSigning = KeyUse(Key.self) == .sig
        try checkUse(isSigning)
        guard let candidate = try id(in: file.read(), now) else {
            Output.hint("no pending key has this age: nothing was changed")
            return ""
        }
        if let obstacle = try obstacle(to: candidate, in: file.read()) {
            guard olderThan != nil else { throw obstacle }
            Output.warning("\(obstacle.reason) Nothing was changed. [\(obstacle.code)]")
            return ""
        }
        var isDone = false
        let ring = try file.update { (ring) throws(PushCryptError) in
            // Another process may have promoted it meanwhile.
            guard try id(in: ring, now) == candidate else { return }
            try ring.promote(candidate, at: now)
            isDone = true
        }
        guard isDone else {
            Output.hint("another process has promoted a key: nothing was changed")
            return ""
        }
        if isSigning, recipients.recipients == nil {
            Output.hint(
                "how many devices accept the new key is unknown without '--recipients'; seal "
                    + "for registrations, so "
                    + "that the old key signs for the others")
        }
        return ring.primary.key.publicKey.jwk
    }

    private func checkUse(_ isSigning: Bool) throws(PushCryptError) {
        guard isSigning || list.list == nil else {
            throw PushCryptError(
                .wrongKeyType,
                "'--list' requires a keyring of signing keys. Name the server's keyring.")
        }
        guard !isSigning || olderThan == nil || list.list != nil || recipients.recipients != nil
        else {
            throw PushCryptError(
                .riskyChange,
                """
                A schedule can't know which devices accept the key. Add '--list LIST --root \
                PUBLICKEY', or '--recipients FILE'. Nothing was changed.
                """)
        }
    }

    private func id<Key: PrivateKey>(in ring: Keyring<Key>, _ now: Date) throws(PushCryptError)
        -> KeyID?
    {
        guard let olderThan else { return try KeyName.pending(key, in: ring) }
        guard let oldest = ring.pending.min(by: { $0.created < $1.created }) else { return nil }
        // A wrong clock would promote a key that devices don't know yet, or none for years.
        try ring.checkClock(now)
        guard now.timeIntervalSince(oldest.created) >= olderThan else { return nil }
        return oldest.key.publicKey.keyID
    }

    /// Returns the reason for which a key must not be promoted yet, if there is one.
    private func obstacle<Key: PrivateKey>(
        to candidate: KeyID, in ring: Keyring<Key>
    ) throws(PushCryptError) -> PushCryptError? {
        guard let ring = ring as? Keyring<SigningKey> else { return nil }
        if let obstacle = try list.obstacle(to: candidate, in: ring) { return obstacle }
        guard let counts = try recipients.counts(in: ring, promoting: candidate) else { return nil }
        for line in counts.table(of: ring) { Output.hint(line) }
        guard olderThan != nil, list.list == nil, counts.bare > 0 else { return nil }
        return PushCryptError(
            .riskyChange,
            """
            \(RecipientCounts.recipients(counts.bare)) of \(counts.total) may not accept the new \
            key. Promote it without '--older-than'.
            """)
    }
}

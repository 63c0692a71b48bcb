internal import Foundation
internal import PushCryptSender

/// The work of `keys check` on a keyring, whose file stays unchanged.
struct KeyringExamination: KeyringWork {
    let list: ListOption
    let recipients: RecipientsOption
    let backup: BackupOption
    let now = Date()

    /// The age at which a schedule of 80 days that runs each week must have promoted a pending key,
    /// in days.
    private static let longestWait = 94

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> KeyringReport {
        let ring = try file.read()
        var report = KeyringReport(
            path: file.path, use: KeyUse(Key.self), generation: ring.generation,
            rows: rows(of: ring), recipients: try recipients.counts(in: ring))
        report.findings += try backup.check(ring, in: file)
        if let server = ring as? Keyring<SigningKey> {
            try examine(server, &report)
        } else {
            guard list.list == nil else {
                throw PushCryptError(
                    .wrongKeyType,
                    "'--list' requires a keyring of signing keys. Name the server's keyring.")
            }
            report.findings += dueKeys { () throws(PushCryptError) in
                try ring.expiredKeys(at: now).count
            }
        }
        report.findings += summary(of: ring, in: file.path)
        return report
    }

    private func examine(_ server: Keyring<SigningKey>, _ report: inout KeyringReport)
        throws(PushCryptError)
    {
        let counts = report.recipients
        report.findings += dueKeys { () throws(PushCryptError) in
            try server.checkClock(now)
            guard let counts else { return 0 }
            var copy = server
            return try copy.prune(at: now, recipients: counts.representatives).count
        }
        for entry in server.pending where days(since: entry.created) > Self.longestWait {
            report.findings.append(
                .warning(
                    "pending-overdue",
                    """
                    the pending key \(entry.key.publicKey.keyID) is \(days(since: entry.created)) \
                    days old: find out why the schedule doesn't promote it
                    """))
        }
        let listing = try ListCheck(ring: server, option: list, now: now).run()
        report.list = listing.list
        report.findings += listing.findings
        if let counts {
            report.table = counts.table(of: server)
            report.findings += unreachable(counts.unreachable)
        } else if server.keys.count > 1 {
            report.findings.append(
                .hint(
                    "recipients-unknown",
                    "how many devices accept which key is unknown without '--recipients'"))
        }
    }

    private func unreachable(_ count: Int) -> [KeyringFinding] {
        guard count > 0 else { return [] }
        let verb = count == 1 ? "accepts" : "accept"
        return [
            .warning(
                "unreachable-recipients",
                "\(RecipientCounts.recipients(count)) \(verb) no key that signs: send a placeholder"
            )
        ]
    }

    private func dueKeys(_ count: () throws(PushCryptError) -> Int) -> [KeyringFinding] {
        do throws(PushCryptError) {
            let due = try count()
            guard due > 0 else { return [] }
            return [
                .warning(
                    "due-keys",
                    """
                    \(due) retired \(due == 1 ? "key is" : "keys are") due: 'pushcrypt keys prune' \
                    destroys them
                    """)
            ]
        } catch {
            return [.warning("\(error.code)", error.reason)]
        }
    }

    private func summary<Key: PrivateKey>(of ring: Keyring<Key>, in path: String)
        -> [KeyringFinding]
    {
        var findings: [KeyringFinding] = []
        if now.timeIntervalSince(ring.primary.created) > 366 * 24 * 3600 {
            let rotation =
                KeyUse(Key.self) == .sig
                ? "'pushcrypt keygen --pending' prepares the next one"
                : "'pushcrypt keygen' rotates it"
            findings.append(
                .warning("old-primary", "the primary key is more than a year old: \(rotation)"))
        }
        findings.append(
            .hint(
                "valid",
                "\(path) is valid: generation \(ring.generation), use "
                    + "\(KeyUse(Key.self).rawValue), 1 primary, "
                    + "\(ring.pending.count) pending, \(ring.retired.count) retired"))
        return findings
    }

    private func rows<Key: PrivateKey>(of ring: Keyring<Key>) -> [KeyringRow] {
        func row(_ key: Key, _ state: String, created: Date) -> KeyringRow {
            KeyringRow(
                id: "\(key.publicKey.keyID)", kid: "\(key.publicKey.kid)", state: state,
                ageInDays: days(since: created), verificationKey: key.publicKey as? VerificationKey)
        }
        return [row(ring.primary.key, "primary", created: ring.primary.created)]
            + ring.pending.map { row($0.key, "pending", created: $0.created) }
            + ring.retired.map { row($0.key, "retired", created: $0.created) }
    }

    private func days(since date: Date) -> Int {
        Int(max(now.timeIntervalSince(date), 0) / (24 * 3600))
    }
}

internal import Foundation
internal import PushCryptSender

/// The comparison of a server's keyring with the list that it hands out.
struct ListCheck {
    let ring: Keyring<SigningKey>
    let option: ListOption
    let now: Date

    /// The list, and the findings about it or about its absence.
    struct Result {
        var list: ListReport?
        let findings: [KeyringFinding]
    }

    /// Returns the list and what will darken devices, and throws for what does.
    func run() throws(PushCryptError) -> Result {
        guard let list = try option.read(for: ring), let path = option.list else {
            return Result(findings: onlyRoot)
        }
        try naming("--list \(path)") { () throws(PushCryptError) in
            try list.checkListing(of: ring)
            guard list.expiration > now else {
                throw PushCryptError(
                    .expiredSignerList,
                    """
                    The list expired on \(list.expiration.isoDay), and no device takes it. \
                    Announce the keys again.
                    """)
            }
        }
        let findings = clock(of: list, path) + differences(of: list, path) + roots(of: list)
        return Result(list: report(on: list), findings: findings)
    }

    private func report(on list: SignerList) -> ListReport {
        let own = ring.publicKeys
        let listed = list.keys
        return ListReport(
            list: list, daysLeft: Int(list.expiration.timeIntervalSince(now) / (24 * 3600)),
            missing: own.filter { !listed.contains($0) }.map { "\($0.keyID)" },
            unknown: listed.filter { !own.contains($0) }.map { "\($0.keyID)" })
    }

    /// Returns the finding about a list that a clock ahead has signed.
    private func clock(of list: SignerList, _ path: String) -> [KeyringFinding] {
        guard list.issued > now.addingTimeInterval(48 * 3600) else { return [] }
        return [
            .warning(
                "list-from-the-future",
                """
                \(path) was signed on \(list.issued.isoDay), by a clock that was ahead: keep the \
                file, because a \
                device takes a later list only if its number exceeds \(list.number)
                """)
        ]
    }

    private func differences(of list: SignerList, _ path: String) -> [KeyringFinding] {
        var findings: [KeyringFinding] = []
        if list.expiration.timeIntervalSince(now) < 30 * 24 * 3600 {
            findings.append(
                .warning(
                    "list-expires",
                    "\(path) expires on \(list.expiration.isoDay): announce the keys again before"))
        }
        findings += missingKeys(of: list, path)
        let audience =
            list.audience.map { ", for the audience \"\(SafeText.onOneLine($0))\"" } ?? ""
        findings.append(
            .hint(
                "list-valid",
                "\(path) is valid: \(list), until \(list.expiration.isoDay)\(audience)"))
        return findings
    }

    /// Returns the findings about keys that either the list or the keyring lacks.
    private func missingKeys(of list: SignerList, _ path: String) -> [KeyringFinding] {
        var findings: [KeyringFinding] = []
        for key in ring.pending.map(\.key.publicKey) where !list.keys.contains(key) {
            findings.append(
                .warning(
                    "pending-unlisted",
                    """
                    \(path) doesn't have the pending key \(key.keyID): announce the keys before it \
                    is promoted
                    """))
        }
        for key in ring.retired.map(\.key.publicKey) where !list.keys.contains(key) {
            findings.append(
                .warning(
                    "retired-unlisted",
                    "\(path) doesn't have the retired key \(key.keyID): announce the keys again"))
        }
        for key in list.keys where !ring.publicKeys.contains(key) {
            findings.append(
                .warning(
                    "unknown-listed",
                    """
                    \(path) has the key \(key.keyID), which the keyring lacks: restore the newest \
                    keyring, or, if you have revoked the key, announce the keys again
                    """))
        }
        return findings
    }

    private var onlyRoot: [KeyringFinding] {
        guard ring.keys.count == 1 else { return [] }
        return [
            .hint(
                "only-root",
                """
                if the app pins this key alone, a stolen key needs an update of the app: \
                \(Self.offlineRoot)
                """)
        ]
    }

    private func roots(of list: SignerList) -> [KeyringFinding] {
        var findings: [KeyringFinding] = []
        if ring.publicKeys.contains(where: { $0.kid == list.rootKid }) {
            findings.append(
                .hint(
                    "online-root",
                    """
                    the root \(list.rootKid.prefix(10)) is a key of this keyring, whose thief can \
                    sign lists
                    """))
        }
        if option.root.count < 2 {
            findings.append(
                .hint(
                    "roots-unnamed",
                    """
                    name each root of the app with '--root'; if it pins one alone, \
                    \(Self.offlineRoot)
                    """))
        }
        return findings
    }

    /// The advice for an app with one root.
    static let offlineRoot =
        "add an offline root before the first release: 'pushcrypt xcode write --root root.jwk …'"
}

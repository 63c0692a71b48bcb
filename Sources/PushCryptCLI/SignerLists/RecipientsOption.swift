internal import ArgumentParser
internal import PushCryptSender

/// The registered devices, from which a command counts who accepts which key.
struct RecipientsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            All registered devices, one per line: a registration, or an object with one as \
            "registration" or "to". - is standard input.
            """, valueName: "file"),
        completion: .file())
    var recipients: String?

    func validate() throws { try PathArgument.check(recipients, for: "--recipients") }

    /// Checks that the passphrase and the devices don't share standard input.
    func check(beside keyring: KeyringOption) throws {
        guard recipients != "-" || keyring.passphrase.descriptor != 0 else {
            throw ValidationError(
                "Standard input cannot be the passphrase and the devices. Name a file for one.")
        }
    }

    /// Counts the devices that accept each key of a keyring; `nil` without the option.
    ///
    /// A pending key may be about to sign.
    func counts<Key: PrivateKey>(
        in ring: Keyring<Key>, promoting promoted: KeyID? = nil
    ) throws(PushCryptError) -> RecipientCounts? {
        guard let recipients else { return nil }
        guard let ring = ring as? Keyring<SigningKey> else {
            throw PushCryptError(
                .wrongKeyType,
                "'--recipients' requires a keyring of signing keys. Name the server's keyring.")
        }
        let pending = ring.pending.map(\.key.publicKey)
        let signing = pending.filter { $0.keyID == promoted } + ring.signers.map(\.publicKey)
        var counts = RecipientCounts(
            signing: signing, others: pending.filter { $0.keyID != promoted })
        try counts.add(recipients)
        return counts
    }
}

extension Keyring {
    /// The public keys with the names of their states.
    var states: [(key: Key.Public, state: String)] {
        [(primary.key.publicKey, "primary")] + pending.map { ($0.key.publicKey, "pending") }
            + retired.map { ($0.key.publicKey, "retired") }
    }
}

extension RecipientCounts {
    /// The table of the keys of a keyring, and lines about the recipients that it doesn't count.
    func table(of ring: Keyring<SigningKey>) -> [String] {
        // A revoked key, or a root of the app.
        let other = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let rows =
            ring.states.map { ["\($0.key.keyID)", $0.state, "\(count(of: $0.key)) of \(total)"] }
            + other.map { [String($0.key.prefix(10)), "other", "\($0.value) of \(total)"] }
        let cells = [["ID", "STATE", "RECIPIENTS"]] + rows
        let widths = [0, 1].map { column in cells.map { $0[column].count }.max() ?? 0 }
        var lines = cells.map {
            "\($0[0].padded(to: widths[0]))  \($0[1].padded(to: widths[1]))  \($0[2])"
        }
        if !other.isEmpty {
            lines.append("other: a revoked key, or a root that isn't in the keyring")
        }
        if bare > 0 {
            lines.append(
                """
                \(Self.recipients(bare)) \(bare == 1 ? "doesn't" : "don't") tell: the primary key \
                signs
                """)
        }
        if unreachable > 0 {
            lines.append(
                "\(Self.recipients(unreachable)) \(unreachable == 1 ? "accepts" : "accept") "
                    + "no key that signs: "
                    + "send a placeholder")
        }
        return lines
    }

    static func recipients(_ count: Int) -> String {
        "\(count) \(count == 1 ? "recipient" : "recipients")"
    }
}

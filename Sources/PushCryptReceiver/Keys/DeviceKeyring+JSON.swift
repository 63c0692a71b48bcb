internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring

// A stored keyring with the members of a device: `clock`, `estimated`, `counted`, `owner`, `lists`
// and `signers`. Each key can have `counted`, the count at its last step.
extension DeviceKeyring: StoredKeyring {
    /// Parses the stored JSON.
    ///
    /// - Throws: The errors of a ``Keyring``.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let document = try JSONDocument(scanningKeyring: bytes)
        keyring = try Keyring(document, bytes, additions: .device)
        do throws(PushCryptError) {
            signers = try AcceptedSigners(of: document.root, document, in: bytes)
        } catch {
            throw PushCryptError(
                .malformedKeyring, "\"signers\" isn't valid. Restore the keyring from a backup.")
        }
        elapsedTime = try ElapsedTime(document, bytes)
        elapsedTime?.marks = try Self.marks(of: keyring, document, bytes)
        let hasOwner = document.member("owner", in: bytes) != nil
        owner =
            hasOwner
            ? try document.asciiString(
                "owner", of: document.root, in: bytes, orThrow: .malformedKeyring) : nil
        signerLists = try Self.signerLists(document, bytes)
    }

    /// Parses the member `counted` of each key that has one.
    private static func marks(
        of keyring: RecipientKeyring, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> [KeyID: Date] {
        let ids = Dictionary(keyring.keys.map { ($0.publicKey.kid, $0.publicKey.keyID) }) {
            first, _ in first
        }
        var marks: [KeyID: Date] = [:]
        for key in document.children(of: document.member("keys", in: bytes))
        where document.member("counted", of: key, in: bytes) != nil {
            guard let id = ids[try document.asciiString("kid", of: key, in: bytes)] else {
                continue
            }
            marks[id] = try document.date("counted", of: key, in: bytes, orThrow: .malformedKeyring)
        }
        return marks
    }

    /// Parses the member `lists`, an array of strings.
    private static func signerLists(
        _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> [String] {
        guard let member = document.member("lists", in: bytes) else { return [] }
        let texts = document.children(of: member).compactMap { document.string($0, in: bytes) }
        guard member.kind == .array, texts.count == document.children(of: member).count else {
            throw PushCryptError(
                .malformedKeyring,
                "\"lists\" isn't an array of strings. Restore the keyring from a backup.")
        }
        return texts
    }

    /// Returns the keyring as JSON **with its private keys** in guarded memory.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `newerFormat`.
    package func exportWithPrivateKeys() throws(PushCryptError) -> SecretBytes {
        var additions = KeyringAdditions.device
        if let elapsedTime {
            additions.members += elapsedTime.members
            additions.notes = elapsedTime.marks.mapValues {
                .init("counted", "\($0.secondsSince1970)")
            }
        }
        if let owner { additions.members.append(.init("owner", Self.quoted(owner))) }
        if !signerLists.isEmpty {
            // A damaged file can have lists that need escapes.
            additions.members.append(
                .init("lists", "[\(signerLists.map(Self.quoted).joined(separator: ","))]"))
        }
        if let signers { additions.members.append(.init("signers", signers.json)) }
        return try keyring.exportWithPrivateKeys(adding: additions)
    }

    private static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = []
        JSONText.append(text, to: &quoted)
        return String(decoding: quoted, as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether two keyrings are equal, so that nothing has
    /// to be stored.
    package func hasSameContents(as other: DeviceKeyring) -> Bool {
        keyring.hasSameContents(as: other.keyring) && elapsedTime == other.elapsedTime
            && owner == other.owner
            && signerLists == other.signerLists && signers == other.signers
    }

    /// Checks that the keyring may replace a stored keyring: with other keys it needs a greater
    /// generation.
    ///
    /// - Throws: ``PushCryptError`` with `malformedKeyring`.
    package func validateReplacement(_ before: DeviceKeyring) throws(PushCryptError) {
        try keyring.validateReplacement(before.keyring)
    }
}

extension ElapsedTime {
    /// Parses `clock` and `estimated`, which must both be present or both be missing, and
    /// `counted`, which is the estimate by default.
    fileprivate init?(_ document: JSONDocument, _ bytes: Span<UInt8>) throws(PushCryptError) {
        guard ["clock", "estimated"].contains(where: { document.member($0, in: bytes) != nil })
        else { return nil }
        let root = document.root
        estimate = try document.date("estimated", of: root, in: bytes, orThrow: .malformedKeyring)
        clock = try document.date("clock", of: root, in: bytes, orThrow: .malformedKeyring)
        count = estimate
        if document.member("counted", in: bytes) != nil {
            count = try document.date("counted", of: root, in: bytes, orThrow: .malformedKeyring)
        }
    }

    /// The members of the stored keyring.
    fileprivate var members: [KeyringAdditions.Member] {
        let estimated = estimate.secondsSince1970
        let counted = count.secondsSince1970
        return [.init("clock", "\(clock.secondsSince1970)"), .init("estimated", "\(estimated)")]
            + (counted == estimated ? [] : [.init("counted", "\(counted)")])
    }
}

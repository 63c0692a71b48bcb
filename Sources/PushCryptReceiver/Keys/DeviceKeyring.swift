public import PushCryptCore
internal import PushCryptFoundation
public import PushCryptKeyring

/// A device's keys, with what the device knows about the time, its installation and its server's
/// keys.
///
/// A change of ``keyring`` keeps everything else:
///
/// ```swift
/// try store.update { (device) throws(PushCryptError) in
///     try device?.keyring.rotate(at: SystemTime().now)
/// }
/// ```
@dynamicMemberLookup
public struct DeviceKeyring: Sendable {
    /// The keys.
    public var keyring: RecipientKeyring {
        didSet { forgetMarks(ofKeysRetiredSince: oldValue) }
    }

    /// The elapsed time; `nil` until the device has observed its clock.
    var elapsedTime: ElapsedTime?

    /// The installation of the app that the keyring belongs to, if it is known.
    var owner: String?

    /// The lists of accepted keys that the device has stored, at most one for each root.
    var signerLists: [String] = []

    /// The accepted keys that the device registers; `nil` if its app doesn't tell them.
    var signers: AcceptedSigners?

    /// Creates the keyring of a device from its keys.
    public init(_ keyring: RecipientKeyring) { self.keyring = keyring }

    /// Creates the keyring of an installation with one new key.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    init(
        observedFrom clock: Date, owner: String, lifetime: UInt64 = KeyLifetime.range.upperBound
    ) throws(PushCryptError) {
        keyring = Keyring(
            generation: 1,
            primary: Keyring.Entry(
                key: try RecipientPrivateKey(), created: clock, lifetimeSeconds: lifetime))
        elapsedTime = ElapsedTime(startingAt: clock)
        self.owner = owner
    }

    /// Returns a property of the keys, such as `primary`.
    public subscript<Value>(dynamicMember path: KeyPath<RecipientKeyring, Value>) -> Value {
        keyring[keyPath: path]
    }

    private mutating func forgetMarks(ofKeysRetiredSince before: RecipientKeyring) {
        for key in keyring.retired where !before.retired.contains(where: { $0.id == key.id }) {
            elapsedTime?.marks[key.id] = nil
        }
    }

    // MARK: Changes

    /// Sets the accepted keys, in a new generation if they change: the server must not replace them
    /// by older ones.
    mutating func setSigners(_ signers: AcceptedSigners?) throws(PushCryptError) {
        guard signers != self.signers else { return }
        keyring.generation = try keyring.nextGeneration()
        self.signers = signers
    }

    /// Stores a list of accepted keys, after the checks of section 13 of the format.
    ///
    /// - Throws: ``PushCryptError`` with the code of the first rule that the list breaks. The
    ///   keyring stays as it is.
    mutating func addSignerList(_ text: String, roots: SignerRoots, at now: Date)
        throws(PushCryptError)
    {
        signerLists = try roots.adding(text, to: signerLists, at: now)
    }

    /// Sets the installation that the keyring belongs to.
    mutating func setOwner(_ owner: String) throws(PushCryptError) {
        keyring.generation = try keyring.nextGeneration()
        self.owner = owner
    }

    /// Moves the keyring to another installation: creates a primary key, and retires all other
    /// keys, which still open messages.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`; the keyring is then unchanged.
    mutating func reset(for owner: String, at clock: Date, lifetime: UInt64) throws(PushCryptError)
    {
        let fresh = Keyring.Entry(
            key: try RecipientPrivateKey(), created: clock, lifetimeSeconds: lifetime)
        let old = [keyring.primary] + keyring.pending + keyring.retired.map(\.entry)
        keyring.generation = min(keyring.generation + 1, JSONDocument.maximumInteger)
        keyring.primary = fresh
        keyring.pending = []
        keyring.retired = old.map { $0.retired(at: clock) }
        elapsedTime = ElapsedTime(startingAt: clock)
        self.owner = owner
    }

    /// Replaces the pending keys with a new pending key, because the keys may have leaked or be
    /// old.
    ///
    /// The newest 64 retired keys stay.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `malformedKeyring`; the keyring is
    ///   then unchanged.
    mutating func renew(at clock: Date, lifetime: UInt64) throws(PushCryptError) {
        var changed = self
        let estimate = changed.observe(clock)
        for entry in keyring.pending { try changed.keyring.retire(entry.id, dated: estimate) }
        changed.keyring.retired.removeLast(
            max(0, changed.keyring.retired.count - Self.maximumRetired))
        try changed.keyring.addPendingKey(dated: estimate, lifetime: lifetime)
        self = changed
    }

    /// The number of retired keys that a replacement of the keys keeps.
    ///
    /// A server, or an attacker who registers in the device's name, can cause replacements.
    /// Rotations alone retire at most one key per rotation age.
    static let maximumRetired = 64

    /// Updates the estimate with the date of a server's answer, and promotes the key that the
    /// answer confirms.
    ///
    /// The date of the retirement is the server's date or the estimate. The method treats a server
    /// date that is more than 48 hours old as an estimate. Otherwise the next correct date would
    /// destroy the key too early. A key that isn't pending stays as it is.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey` or `malformedKeyring`; the keyring is then
    ///   unchanged.
    mutating func confirm(_ id: KeyID, at clock: Date, serverTime: Date?) throws(PushCryptError) {
        _ = try keyring.key(for: id)
        let isPending = keyring.pending.contains { $0.id == id }
        guard isPending || serverTime != nil else { return }
        var changed = self
        let estimate = changed.observe(clock, answer: serverTime)
        let earliest = (elapsedTime?.estimate ?? keyring.lastChange).addingTimeInterval(
            -KeyLifetime.clockTolerance)
        let isDateKnown = serverTime.map { $0 >= earliest } ?? false
        if isPending { try changed.keyring.promote(id, dated: estimate, isDateKnown: isDateKnown) }
        self = changed
    }

    /// Follows the generation that the server knows.
    ///
    /// If it isn't lower than the keyring's, the keyring was restored from a backup, and its keys
    /// may be older than the server's. A new pending key replaces them, in the next generation. It
    /// is much lower after a reset of the server.
    ///
    /// - Throws: ``PushCryptError`` with `malformedRegistration` if the generation is too large, or
    ///   `sodiumUnavailable`; the keyring is then unchanged.
    mutating func followGeneration(_ known: UInt64, at clock: Date, lifetime: UInt64)
        throws(PushCryptError)
    {
        // A generation near the maximum would prevent all rotations.
        guard known < (1 << 53) - 2 * Registration.maximumGrowth else {
            throw PushCryptError(
                .malformedRegistration,
                "The server's generation \(known) is too large. Reset the device on the server."
            )
        }
        if known >= keyring.generation {
            try renew(at: clock, lifetime: lifetime)
            keyring.generation = known + 1
        } else if keyring.generation - known > Registration.maximumGrowth {
            keyring.generation = known + 1
        }
    }
}

extension DeviceKeyring: CustomStringConvertible, Redacted {
    /// The name of the type.
    public var description: String { "DeviceKeyring" }
}

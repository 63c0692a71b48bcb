internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring

/// The steps of a device's keys, without a store and without a clock: each changes a keyring at a
/// given time.
///
/// A key that is due is created as a pending key. The server gets it, and its confirmation makes it
/// the primary key. The old key opens messages as a retired key until
/// ``DeviceKeyring/destroyExpiredKeys()`` destroys it.
struct KeyRotation: Sendable {
    let installation: Installation
    /// The age, in seconds, that a key doesn't exceed if the app is opened daily.
    var rotationAge: TimeInterval
    /// The longest lifetime of messages to new keys, in seconds.
    var lifetime: TimeInterval
    /// The roots of the account's sender policy; `nil` if it doesn't check signatures.
    var roots: SignerRoots?

    /// The result of a preparation.
    struct Prepared: Sendable {
        var state = KeyPreparation.unchanged
        /// A Boolean value that indicates whether the server should be asked: more than a day
        /// wasn't counted, or a list is damaged.
        var missesTime = false
    }

    /// Creates the first key, adds a pending key when the primary one is old, and destroys expired
    /// keys.
    ///
    /// - Parameters:
    ///   - keyring: The keyring, which is created if it's `nil`.
    ///   - now: The time of the device's clock.
    ///   - isCreating: `false` while a server is asked, because another call may have deleted the
    ///     account.
    /// - Returns: The state in which the keys were found.
    /// - Throws: ``PushCryptError`` with `keyUnreadable`, `unknownKey` or `invalidLifetime`.
    func prepare(
        _ keyring: inout DeviceKeyring?, at now: Date, isCreating: Bool = true
    ) throws(PushCryptError) -> Prepared {
        let owner = try installation.owner()
        let lifetime = try KeyLifetime.seconds(lifetime)
        try KeyLifetime.check(rotationAge: rotationAge)
        var prepared = Prepared()
        var ring: DeviceKeyring
        if let stored = keyring {
            ring = stored
            // Before the server gets a registration without what a newer version has added.
            try stored.keyring.checkFormat()
            prepared.missesTime = missesTime(ring, at: now)
            prepared.state = try setOwner(of: &ring, to: owner, now: now, lifetime: lifetime)
            if prepared.state != .restored { try maintain(&ring, at: now, lifetime) }
        } else {
            guard isCreating else { throw Self.noKeys }
            ring = try DeviceKeyring(observedFrom: now, owner: owner, lifetime: lifetime)
            prepared.state = .created
        }
        try setSigners(of: &ring)
        keyring = ring
        return prepared
    }

    /// Returns the registration of the pending key, or of the primary key if no key is pending.
    func registration(of keyring: DeviceKeyring?) throws(PushCryptError) -> Registration {
        guard let ring = keyring else { throw Self.noKeys }
        let entry = ring.pending.last ?? ring.primary
        return Registration(
            key: entry.key.publicKey, generation: ring.generation, created: entry.created,
            lifetime: entry.lifetimeSeconds, signers: ring.signers)
    }

    /// Records the server's time, and makes a confirmed key the primary one; the old key still
    /// opens messages.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey`.
    func confirm(
        _ registration: Registration, in keyring: inout DeviceKeyring?, at now: Date,
        serverTime: Date? = nil
    ) throws(PushCryptError) {
        guard keyring != nil else { throw Self.noKeys }
        try keyring?.confirm(registration.key.keyID, at: now, serverTime: serverTime)
    }

    /// Follows the generation that the server knows, after it has rejected a registration as
    /// `stale-generation`.
    ///
    /// If the keyring isn't newer than that, the method adds a new pending key. If another call has
    /// changed the keys since the registration, this other call may have registered them, and they
    /// stay.
    ///
    /// - Throws: ``PushCryptError`` with `malformedRegistration`.
    func followGeneration(
        _ known: UInt64, rejecting registration: Registration, in keyring: inout DeviceKeyring?,
        at now: Date
    ) throws(PushCryptError) {
        guard var ring = keyring, known != ring.generation || registration.generation >= known
        else { return }
        try ring.followGeneration(known, at: now, lifetime: KeyLifetime.seconds(lifetime))
        keyring = ring
    }

    /// Replaces the pending key with a new one, because the keys may have leaked.
    func renew(_ keyring: inout DeviceKeyring?, at now: Date) throws(PushCryptError) {
        try keyring?.renew(at: now, lifetime: KeyLifetime.seconds(lifetime))
    }

    /// Stores the lists of accepted keys from a server's answer.
    ///
    /// - Returns: The error of the first list that breaks a rule. The list of an unknown root
    ///   beside a valid one is no error: the server may have lists for several releases of the app.
    func addSignerLists(
        _ lists: [String], to keyring: inout DeviceKeyring?, at date: Date
    ) -> PushCryptError? {
        guard let roots, keyring != nil else { return nil }
        var failures: [PushCryptError] = []
        for list in lists.map(Self.trimmed) {
            do throws(PushCryptError) {
                try keyring?.addSignerList(list, roots: roots, at: date)
            } catch {
                failures.append(error)
            }
        }
        let isAnyValid = failures.count < lists.count
        return failures.first { !isAnyValid || $0.code != .unknownRoot }
    }

    /// Returns a list without the line break of the file that the server has read.
    private static func trimmed(_ list: String) -> String {
        let bytes = Array(list.utf8)
        return String(decoding: bytes[JSONText.trimmed(bytes.span)], as: UTF8.self)
    }

    private func missesTime(_ ring: DeviceKeyring, at now: Date) -> Bool {
        if let roots, (try? roots.acceptedKeys(with: ring.signerLists)) == nil { return true }
        return ring.elapsedTime.map {
            now.timeIntervalSince($0.clock) > 2 * ElapsedTime.maximumStep
        } ?? true
    }

    /// Sets the accepted keys that the device registers, which change with its lists and with the
    /// pinned roots.
    private func setSigners(of ring: inout DeviceKeyring) throws(PushCryptError) {
        guard let roots else { return try ring.setSigners(nil) }
        // With a damaged list, nothing is accepted until the server's next answer replaces it. The
        // roots alone might accept a revoked key.
        guard let accepted = try? roots.acceptedKeys(with: ring.signerLists) else { return }
        try ring.setSigners(AcceptedSigners(accepted))
    }

    /// Sets the keyring's owner, and creates a new key if the keyring belongs to another device or
    /// installation.
    ///
    /// After a reinstallation, the keyring may come from an old backup. The new key is pending,
    /// because the server knows an old one.
    private func setOwner(
        of ring: inout DeviceKeyring, to owner: String, now: Date, lifetime: UInt64
    ) throws(PushCryptError) -> KeyPreparation {
        let oldOwner = ring.owner
        if oldOwner == owner { return .unchanged }
        if let oldOwner, try !installation.isOnSameDevice(as: oldOwner) {
            try ring.reset(for: owner, at: now, lifetime: lifetime)
            return .restored
        }
        try ring.setOwner(owner)
        if oldOwner == nil { return .unchanged }
        try ring.renew(at: now, lifetime: lifetime)
        return .reinstalled
    }

    /// Records the time, destroys expired keys, and adds a pending key if the primary one is old.
    private func maintain(
        _ ring: inout DeviceKeyring, at now: Date, _ lifetime: UInt64
    ) throws(PushCryptError) {
        // Each record is a write, so one in an hour is enough.
        let isRecent =
            ring.elapsedTime.map { (0..<3600).contains(now.timeIntervalSince($0.clock)) } ?? false
        if !isRecent { ring.observe(now) }
        try ring.destroyExpiredKeys()
        let estimate = ring.elapsedTime?.estimate ?? now
        // Early, so that no key exceeds the rotation age if the app starts daily, at any hour.
        let early = min(36 * 3600, rotationAge / 4)
        if ring.pending.isEmpty, ring.primaryAge ?? 0 >= rotationAge - early {
            try ring.keyring.addPendingKey(dated: estimate, lifetime: lifetime)
        }
    }

    static let noKeys = PushCryptError(
        .unknownKey, "The device's keyring doesn't exist. Register the device first.")
}

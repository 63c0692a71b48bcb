public import PushCryptCore
internal import PushCryptKeyring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A device's keys over their whole life: made on first launch, registered, rotated when they are old, destroyed when their
/// time is over.
///
/// The app calls ``start()`` whenever it starts, sends the registration to its server, and calls ``confirm(_:serverTime:)`` when the
/// server has said that it has it. A new key is in use only then: until then the old one stays the primary, and both open.
/// Nothing that arrives from outside ever makes, rotates or removes a key.
///
/// Where a store says `deviceLocked` or `missingEntitlement`, that is thrown in the place of `keyUnreadable`.
public struct DeviceKeys: Sendable {
    /// What ``start()`` has found.
    public enum Start: Sendable, Hashable {
        /// There were no keys: the first one was made.
        case made
        /// The keys were there.
        case ready
        /// The keys were there, and the app was installed anew on the same device: they are kept, because pushes may be under
        /// way to them.
        case reinstalled
        /// The keys were those of another device, out of a backup, or the device goes by another name now: a new one was
        /// made, and the others are retired.
        case restored
    }

    /// Where the keys are.
    public let store: any KeyringStore

    /// Which installation this is.
    public let installation: Installation

    /// After how many seconds a key is replaced.
    public let rotationAge: TimeInterval

    /// Where the time comes from; it is watched, not believed.
    public let time: any TimeSource

    /// Looks after the keys in a store.
    ///
    /// - Parameters:
    ///   - store: where the keys are.
    ///   - installation: which installation this is.
    ///   - rotationAge: after how many seconds a key is replaced; 90 days by default.
    ///   - time: where the time comes from.
    public init(
        store: any KeyringStore, installation: Installation, rotationAge: TimeInterval = 90 * 24 * 3600,
        time: any TimeSource = SystemTime()
    ) {
        self.store = store
        self.installation = installation
        self.rotationAge = rotationAge
        self.time = time
    }

    /// What every start of the app does: makes the first key, prepares a new one when it is time, destroys what is due.
    ///
    /// - Returns: what was found, and what the server has to know; send it whenever its key is not the one that the server
    ///   has confirmed last.
    /// - Throws: ``PushCryptError`` with `keyUnreadable` where the keys cannot be read or written now, or where a name of the
    ///   installation is empty; nothing has changed then, and the next start tries again.
    public func start() throws(PushCryptError) -> (start: Start, registration: Registration) {
        let owner = try installation.owner()
        let now = time.now
        var start = Start.ready
        try change { (keyring) throws(PushCryptError) in
            guard var ring = keyring else {
                keyring = try Keyring(watchedFrom: now, owner: owner)
                start = .made
                return
            }
            start = try Self.claim(&ring, owner, installation, now)
            if start != .restored { try maintain(&ring, at: now) }
            keyring = ring
        }
        return (start, try registration())
    }

    /// What the server has to know: the pending key, where there is one, or else the primary.
    ///
    /// - Returns: the registration.
    /// - Throws: ``PushCryptError`` with `unknownKey` where there are no keys yet, or `keyUnreadable`.
    public func registration() throws(PushCryptError) -> Registration {
        let ring = try read()
        let entry = ring.pending.last ?? ring.primary
        return Registration(key: entry.key.publicKey, generation: ring.generation, created: entry.created)
    }

    /// Puts a key into use that the server has confirmed; the old one is retired, and opens for 30 days and 48 hours more.
    ///
    /// It may be called twice, or late: a key that is no longer pending stays what it is.
    ///
    /// - Parameters:
    ///   - registration: what the server has confirmed.
    ///   - serverTime: the server's time, as the header `Date` of its answer has it. Without it only days on which the app
    ///     starts count for the old key's 30 days and 48 hours.
    /// - Throws: ``PushCryptError`` with `unknownKey` where the key is not here, or `keyUnreadable`; nothing has changed then.
    public func confirm(_ registration: Registration, serverTime: Date? = nil) throws(PushCryptError) {
        let now = time.now
        let id = registration.key.keyID
        try change { (keyring) throws(PushCryptError) in
            guard var ring = keyring else {
                throw PushCryptError(.unknownKey, "There are no keys here, so none can be confirmed. Start first.")
            }
            _ = try ring.key(id)
            guard ring.pending.contains(where: { $0.key.publicKey.keyID == id }) else { return }
            try ring.promote(id, confirmedAt: now, serverTime: serverTime)
            keyring = ring
        }
    }

    /// Makes the keyring newer than what the server knows, after it has refused a registration as `stale-generation`.
    ///
    /// That happens when a device gets its keys back out of an old backup of its own. The keys stay as they are; send
    /// ``registration()`` again.
    ///
    /// - Parameter generation: the generation that the server knows, from its authenticated answer.
    /// - Throws: ``PushCryptError`` with `malformedRegistration` where the number cannot be, or `keyUnreadable`; nothing has
    ///   changed then.
    public func overtake(_ generation: UInt64) throws(PushCryptError) {
        try change { (keyring) throws(PushCryptError) in try keyring?.overtake(generation) }
    }

    /// Makes a new key in the place of a pending one, because the keys may have leaked: the primary is replaced as soon as
    /// the server has confirmed the new one.
    ///
    /// - Returns: what the server has to know.
    /// - Throws: ``PushCryptError`` with `unknownKey` where there are no keys yet, or `keyUnreadable`; nothing has changed
    ///   then.
    public func renew() throws(PushCryptError) -> Registration {
        let now = time.now
        try change { (keyring) throws(PushCryptError) in try keyring?.renew(at: now) }
        return try registration()
    }

    /// Notes a time that has certainly passed: when an opened message was issued.
    ///
    /// It brings the watched time forward after the device has been off for long.
    ///
    /// - Parameter push: an opened message, from an accepted sender.
    /// - Throws: ``PushCryptError`` with `unknownKey` where there are no keys yet, or `keyUnreadable`.
    public func note(_ push: OpenedPush) throws(PushCryptError) {
        guard push.signer != nil else { return }
        let ring = try read()
        let known = push.issuedAt
        // Hours do not matter, and every change is written.
        guard let watch = ring.watch,
            known.addingTimeInterval(-ElapsedTime.tolerance - ElapsedTime.maximumStep) > watch.believed
        else { return }
        let now = time.now
        try change { (keyring) throws(PushCryptError) in keyring?.look(at: now, known: known) }
    }

    // MARK: Steps

    /// Whose keyring it is; where it is another device's, it gets a new key.
    private static func claim(
        _ ring: inout Keyring<RecipientPrivateKey>, _ owner: String, _ installation: Installation, _ now: Date
    ) throws(PushCryptError) -> Start {
        guard let noted = ring.owner else {
            try ring.belong(to: owner)
            return .ready
        }
        if noted == owner { return .ready }
        guard try installation.isOnSameDevice(as: noted) else {
            try ring.reset(for: owner, at: now)
            return .restored
        }
        try ring.belong(to: owner)
        return .reinstalled
    }

    /// Watches the time, destroys what is due, prepares a new key when the old one is old.
    private func maintain(_ ring: inout Keyring<RecipientPrivateKey>, at now: Date) throws(PushCryptError) {
        // A look an hour is enough; each is written.
        let wasLookedAt = ring.watch.map { (0..<3600).contains(now.timeIntervalSince($0.clock)) } ?? false
        if !wasLookedAt { ring.look(at: now) }
        try ring.pruneByWatchedTime()
        let believed = ring.watch?.believed ?? now
        if ring.pending.isEmpty, believed.timeIntervalSince(ring.primary.created) >= rotationAge {
            try ring.prepare(dated: believed)
        }
    }

    private func read() throws(PushCryptError) -> Keyring<RecipientPrivateKey> {
        let ring: Keyring<RecipientPrivateKey>?
        do {
            ring = try store.keyring()
        } catch {
            throw Self.unreadable(error)
        }
        guard let ring else {
            throw PushCryptError(.unknownKey, "There are no keys here. Start first.")
        }
        return ring
    }

    private func change(
        _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        var refused: PushCryptError?
        do {
            try store.change { (keyring) throws(PushCryptError) in
                // A store may have the change made again, on what another process has stored meanwhile.
                refused = nil
                do throws(PushCryptError) {
                    try change(&keyring)
                } catch {
                    refused = error
                    throw error
                }
            }
        } catch {
            throw refused ?? Self.unreadable(error)
        }
    }

    /// What the store says, as one error: a store's own may say anything, so only its type is repeated.
    private static func unreadable(_ error: any Error) -> PushCryptError {
        let known = error as? PushCryptError
        if let known, known.saysWhyUnreadable { return known }
        let reason = known?.reason ?? "(\(type(of: error)))"
        return PushCryptError(.keyUnreadable, "The device's keys cannot be read or written now. \(reason)")
    }
}

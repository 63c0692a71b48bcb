internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// An installation of an app, identified by two names.
///
/// The keyring stores only their hashes.
struct Installation: Sendable, Hashable {
    /// An identifier that doesn't migrate to another device, such as `identifierForVendor`.
    let deviceID: String
    /// A random name in a file that is deleted with the app and excluded from backups.
    let installationID: String

    /// Returns the owner that the keyring stores: the hashes of both names.
    func owner() throws(PushCryptError) -> String {
        guard !deviceID.isEmpty, !installationID.isEmpty else { throw Self.unknownDevice }
        return "\(try Self.hash("device", deviceID)).\(try Self.hash("installation", installationID))"
    }

    /// Returns a Boolean value that indicates whether a keyring's owner is this device, in any installation.
    func isOnSameDevice(as owner: String) throws(PushCryptError) -> Bool {
        owner.split(separator: ".").first.map(String.init) == (try Self.hash("device", deviceID))
    }

    static let unknownDevice = PushCryptError(
        .keyUnreadable,
        """
        The identifier of the device is missing. identifierForVendor is nil until the device is unlocked for the first \
        time after a restart. Register again later.
        """)

    private static func hash(_ kind: String, _ name: String) throws(PushCryptError) -> String {
        let digest = try SHA256.hash(Array("pushcrypt/v1/\(kind):\(name)".utf8))
        return Base64URL.encode(Array(digest.array.prefix(12)))
    }
}

/// The steps of ``DeviceRegistrar``: creates, rotates and deletes a device's keys.
struct DeviceKeys: Sendable {
    let store: any KeyringStore
    let installation: Installation
    var rotationAge = DeviceRegistrar.week
    var lifetime = DeviceRegistrar.week
    /// The roots of the account's sender policy; `nil` if it doesn't check signatures.
    var roots: SignerRoots?
    var time: any TimeSource = SystemTime()

    /// Creates the first key, adds a pending key when the primary one is old, and deletes expired keys.
    ///
    /// - Parameter isCreating: `false` while a server is asked, because another call may have deleted the account.
    /// - Returns: The state of the keys, the registration to send unless the server has confirmed it, and a Boolean
    ///   value that indicates whether the server should be asked: more than a day wasn't counted, or a list is damaged.
    /// - Throws: ``PushCryptError`` with `keyUnreadable`, `unknownKey` or `invalidLifetime`. In that case, nothing has
    ///   changed.
    func prepare(isCreating: Bool = true) throws(PushCryptError) -> (
        preparation: DeviceRegistrar.Preparation, registration: Registration, missesTime: Bool
    ) {
        let owner = try installation.owner()
        let lifetime = try KeyLifetime.seconds(lifetime)
        try KeyLifetime.check(rotationAge: rotationAge)
        let now = time.now
        var preparation = DeviceRegistrar.Preparation.unchanged
        var missesTime = false
        try update { (keyring) throws(PushCryptError) in
            guard var ring = keyring else {
                guard isCreating else { throw Self.noKeys }
                var ring = try Keyring<RecipientPrivateKey>(
                    observedFrom: now, owner: owner, lifetime: lifetime)
                try setSigners(of: &ring)
                keyring = ring
                preparation = .created
                return
            }
            missesTime = ring.elapsedTime.map { now.timeIntervalSince($0.clock) > 2 * ElapsedTime.maximumStep } ?? true
            if let roots, (try? roots.acceptedKeys(with: ring.signerLists)) == nil { missesTime = true }
            preparation = try setOwner(of: &ring, to: owner, now: now, lifetime: lifetime)
            if preparation != .restored { try maintain(&ring, at: now, lifetime) }
            try setSigners(of: &ring)
            keyring = ring
        }
        return (preparation, try registration(), missesTime)
    }

    /// Returns the registration of the pending key, or of the primary key if no key is pending.
    func registration() throws(PushCryptError) -> Registration {
        let ring = try read()
        let entry = ring.pending.last ?? ring.primary
        return Registration(
            key: entry.key.publicKey, generation: ring.generation, created: entry.created,
            lifetime: entry.lifetimeSeconds, signers: ring.signers)
    }

    /// Records the server's time, and makes a confirmed key the primary one; the old key still opens messages.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey` or `keyUnreadable`. In that case, nothing has changed.
    func confirm(_ registration: Registration, serverTime: Date? = nil) throws(PushCryptError) {
        let now = time.now
        try update { (keyring) throws(PushCryptError) in
            guard keyring != nil else { throw Self.noKeys }
            try keyring?.confirm(registration.key.keyID, at: now, serverTime: serverTime)
        }
    }

    /// Follows the generation that the server knows, after it has rejected a registration as `stale-generation`.
    ///
    /// If the keyring isn't newer than that, the method adds a new pending key. If another call has changed the keys
    /// since the registration, this other call may have registered them, and they stay.
    ///
    /// - Throws: ``PushCryptError`` with `malformedRegistration` or `keyUnreadable`. In that case, nothing has changed.
    func followGeneration(_ known: UInt64, rejecting registration: Registration) throws(PushCryptError) {
        let now = time.now
        let lifetime = try KeyLifetime.seconds(lifetime)
        try update { (keyring) throws(PushCryptError) in
            guard var ring = keyring else { return }
            if known == ring.generation, registration.generation < known { return }
            try ring.followGeneration(known, at: now, lifetime: lifetime)
            keyring = ring
        }
    }

    /// Replaces the pending key with a new one, because the keys may have leaked.
    func renew() throws(PushCryptError) -> Registration {
        let now = time.now
        let lifetime = try KeyLifetime.seconds(lifetime)
        try update { (keyring) throws(PushCryptError) in try keyring?.renew(at: now, lifetime: lifetime) }
        return try registration()
    }

    /// Stores the lists of accepted keys from a server's answer.
    ///
    /// - Returns: The error of the first list that breaks a rule. The list of an unknown root beside a valid one is no
    ///   error: the server may have lists for several releases of the app.
    /// - Throws: ``PushCryptError`` with `keyUnreadable`. In that case, nothing has changed.
    func addSignerLists(_ lists: [String], at date: Date) throws(PushCryptError) -> PushCryptError? {
        guard let roots, !lists.isEmpty else { return nil }
        var failures: [PushCryptError] = []
        try update { (keyring) throws(PushCryptError) in
            failures = []
            for list in lists.map(Self.trimmed) {
                do throws(PushCryptError) {
                    try keyring?.addSignerList(list, roots: roots, at: date)
                } catch {
                    failures.append(error)
                }
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

    /// Returns the keyring; `nil` only if it certainly doesn't exist.
    func keyring() throws(PushCryptError) -> Keyring<RecipientPrivateKey>? {
        do {
            return try store.keyring()
        } catch {
            throw .keyUnreadable("read", error)
        }
    }

    // MARK: Steps

    /// Sets the accepted keys that the device registers, which change with its lists and with the pinned roots.
    private func setSigners(of ring: inout Keyring<RecipientPrivateKey>) throws(PushCryptError) {
        guard let roots else { return try ring.setSigners(nil) }
        // With a damaged list, nothing is accepted until the server's next answer replaces it. The roots alone might
        // accept a revoked key.
        guard let accepted = try? roots.acceptedKeys(with: ring.signerLists) else { return }
        try ring.setSigners(AcceptedSigners(accepted))
    }

    /// Sets the keyring's owner, and creates a new key if the keyring belongs to another device or installation.
    ///
    /// After a reinstallation, the keyring may come from an old backup. The new key is pending, because the server
    /// knows an old one.
    private func setOwner(
        of ring: inout Keyring<RecipientPrivateKey>, to owner: String, now: Date, lifetime: UInt64
    ) throws(PushCryptError) -> DeviceRegistrar.Preparation {
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

    /// Records the time, deletes expired keys, and adds a pending key if the primary one is old.
    private func maintain(
        _ ring: inout Keyring<RecipientPrivateKey>, at now: Date, _ lifetime: UInt64
    ) throws(PushCryptError) {
        // Each record is a write, so one in an hour is enough.
        let isRecent = ring.elapsedTime.map { (0..<3600).contains(now.timeIntervalSince($0.clock)) } ?? false
        if !isRecent { ring.observe(now) }
        try ring.pruneByElapsedTime()
        let estimate = ring.elapsedTime?.estimate ?? now
        // Early, so that no key exceeds the rotation age if the app starts daily, at any hour.
        let early = min(36 * 3600, rotationAge / 4)
        if ring.pending.isEmpty, ring.primaryAge ?? 0 >= rotationAge - early {
            try ring.addPendingKey(dated: estimate, lifetime: lifetime)
        }
    }

    private static let noKeys = PushCryptError(
        .unknownKey, "The device's keyring doesn't exist. Register the device first.")

    private func read() throws(PushCryptError) -> Keyring<RecipientPrivateKey> {
        if let ring = try keyring() { return ring }
        throw Self.noKeys
    }

    private func update(
        _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        var rejected: PushCryptError?
        do {
            try store.update { (keyring) throws(PushCryptError) in
                // The store may repeat the change, and only the last call counts.
                rejected = nil
                do throws(PushCryptError) {
                    try change(&keyring)
                } catch {
                    rejected = error
                    throw error
                }
            }
        } catch {
            throw rejected ?? .keyUnreadable("read or written", error)
        }
    }
}

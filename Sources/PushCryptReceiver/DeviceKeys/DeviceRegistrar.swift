public import Foundation
public import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptSystem

/// The server's authenticated response to a registration.
public struct RegistrationResponse: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case accepted(Date?, signerLists: [String])
        case stale(UInt64)
    }

    let kind: Kind

    /// The server has stored the registration.
    ///
    /// - Parameters:
    ///   - date: The date in the `Date` header of the server's response; `nil` if it's unknown.
    ///   - signerLists: The lists of accepted keys that the server hands out: usually one, and none if its only key is
    ///     the root.
    /// - Returns: The response.
    public static func accepted(date: Date?, signerLists: [String] = []) -> Self {
        Self(kind: .accepted(date, signerLists: signerLists))
    }

    /// The server has rejected the registration with `stale-generation`, and answered this generation.
    ///
    /// If the device's own generation isn't greater, its keys may be from an old backup. The registrar then creates a
    /// new key, registers it, and keeps the newest 64 retired keys.
    public static func stale(generation: UInt64) -> Self { Self(kind: .stale(generation)) }
}

/// Creates, registers, rotates and deletes a device's keys, in one call on every launch of the app.
///
/// ```swift
/// let registrar = DeviceRegistrar(
///     store: store, deviceID: "identifierForVendor", directory: "/var/mobile/app/PushCrypt",
///     senderPolicy: .signed(by: "YOUR_SERVER_KEY"))
/// try await registrar.register(deviceToken: deviceToken) { registration, token in
///     // POST both to your server, as the signed-in user.
///     return .accepted(date: nil)
/// }
/// ```
///
/// The registrar calls the server after a change of the key, the device token or the account, once a week, and after
/// some days without a launch. After an interruption the next launch continues. After a reinstallation or a restored
/// backup, it replaces the keys.
///
/// With a ``SenderPolicy``, each registration tells the server from which keys the device accepts signatures. The
/// registrar checks the lists of accepted keys in the server's answers, stores them beside the device's keys, and
/// registers again at once if the accepted keys change.
///
/// Use it in the app only. An extension has other directories, so it would count as another installation.
public struct DeviceRegistrar: Sendable {
    /// The state in which the registrar has found the keys.
    public struct Preparation: Sendable, Hashable, CustomStringConvertible {
        /// A stable name for logs, such as `created`.
        public let description: String

        /// The keyring didn't exist, and the first key was created.
        public static let created = Self(description: "created")
        /// The keys belong to this installation.
        public static let unchanged = Self(description: "unchanged")
        /// The app was reinstalled on the same device, and a new key replaces the keys.
        ///
        /// The keys may be from an old backup.
        /// The old keys open messages until the new key is confirmed, and then as retired keys.
        public static let reinstalled = Self(description: "reinstalled")
        /// The keys came from another device, or the device's identifier changed, and a new key replaces them.
        public static let restored = Self(description: "restored")
    }

    /// Sends a registration, as JSON, and the device token, in hexadecimal digits, to the app's server.
    public typealias SendRegistration =
        @Sendable (_ registration: String, _ deviceToken: String) async throws -> RegistrationResponse

    /// The default of both periods, and the age at which a confirmation is repeated.
    static let week: TimeInterval = 7 * 24 * 3600

    let store: any KeyringStore
    private let deviceID: String
    private let account: String
    private let rotationAge: TimeInterval
    private let lifetime: TimeInterval
    private let senderPolicy: SenderPolicy
    let state: RegistrationState
    let time: any TimeSource

    /// Creates a registrar without reading anything.
    ///
    /// - Parameters:
    ///   - store: The store of the device's keys.
    ///   - deviceID: `identifierForVendor`; `nil` until the device is unlocked for the first time after a restart.
    ///   - directory: An existing directory that is deleted with the app and excluded from backups. Each store needs
    ///     its own.
    ///   - account: A permanent name of the signed-in user. Only its hash is stored. The registrar registers again
    ///     when it changes.
    ///   - senderPolicy: The account's policy, as in its ``PushAccount``. With ``SenderPolicy/anyone``, the
    ///     registration doesn't tell the accepted keys, and lists of accepted keys are ignored.
    ///   - rotationAge: The age, in seconds, that a key doesn't exceed if the app is opened daily; 7 days by default.
    ///   - lifetime: The longest lifetime of pushes to new keys, in seconds, up to 30 days; 7 days by default. A
    ///     retired key is destroyed after its lifetime and 48 hours. Existing keys keep theirs.
    ///   - time: The source of the time.
    public init(
        store: any KeyringStore, deviceID: String?, directory: String, account: String = "",
        senderPolicy: SenderPolicy, rotationAge: TimeInterval = 7 * 24 * 3600,
        lifetime: TimeInterval = 7 * 24 * 3600,
        time: any TimeSource = SystemTime()
    ) {
        self.store = store
        self.deviceID = deviceID ?? ""
        self.account = account
        self.rotationAge = rotationAge
        self.lifetime = lifetime
        self.senderPolicy = senderPolicy
        self.time = time
        state = RegistrationState(path: directory + "/pushcrypt.device")
    }

    /// Prepares the keys, and registers them if the server doesn't know them.
    ///
    /// - Parameters:
    ///   - deviceToken: The device token from the system, usually 32 bytes.
    ///   - send: Sends a registration to the app's server. It isn't called if the server knows everything.
    /// - Returns: The state in which the keys were found.
    /// - Throws: What `send` throws, or ``PushCryptError``: `keyUnreadable`, `deviceLocked` or `missingEntitlement` if
    ///   the keys can't be used now; `staleGeneration` if the server rejects the newer generation too;
    ///   `malformedRegistration` if the server's generation is too large; `unknownKey` if the keys were deleted
    ///   meanwhile; `invalidLifetime`; or a file error. The keys are safe then, and the next call continues.
    ///   `invalidConfiguration` or another code if the sender policy isn't valid. If the server's list of accepted keys
    ///   breaks a rule, the code of the rule, such as `expiredSignerList`; the registration is then confirmed.
    @discardableResult
    public func register(
        deviceToken: some Collection<UInt8>, with send: SendRegistration
    ) async throws -> Preparation {
        let token = deviceToken.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        let (preparation, registration, missesTime) = try keys().prepare()
        if missesTime { try state.update { $0.confirmed = nil } }
        guard try preparation != .unchanged || !isKnown(registration, token) else { return preparation }
        var failure = try await confirm(registration, token, with: send)
        // By the server's time, a new key may be due, and retired keys may have expired. The accepted keys may have
        // changed, twice if the server has changed its list meanwhile.
        for _ in 0..<2 {
            let next = try keys().prepare().registration
            if try isKnown(next, token) { break }
            failure = try await confirm(next, token, with: send) ?? failure
        }
        if let failure { throw failure }
        return preparation
    }

    /// Sends a registration, and records its confirmation and the lists of accepted keys.
    ///
    /// - Returns: The error of a list.
    private func confirm(
        _ registration: Registration, _ token: String, with send: SendRegistration
    ) async throws -> PushCryptError? {
        // If the answer is lost, the server may have stored this registration instead of the last confirmed one.
        try state.update { $0.confirmed = nil }
        var registration = registration
        var response = try await send(registration.json, token)
        if case .stale(let generation) = response.kind {
            try keys().followGeneration(generation, rejecting: registration)
            // Another call may have rotated the key meanwhile.
            registration = try keys().registration()
            response = try await send(registration.json, token)
        }
        guard case .accepted(let date, let signerLists) = response.kind else {
            throw PushCryptError(
                .staleGeneration,
                """
                The server rejected a registration with a newer generation than its own. Check the server's comparison.
                """)
        }
        try keys().confirm(registration, serverTime: date)
        let confirmed = try registered(registration, token)
        let now = time.now
        // Before the confirmation is recorded: if the app ends in between, the next start asks for the lists again.
        let failure = try keys().addSignerLists(signerLists, at: date ?? now)
        try state.update { $0.confirm(confirmed, at: now) }
        return failure
    }

    /// Creates and registers a new key, because the keys may have leaked.
    ///
    /// If the server can't be reached, the next ``register(deviceToken:with:)`` registers the new key.
    ///
    /// - Throws: The errors of ``register(deviceToken:with:)``.
    public func renew(deviceToken: some Collection<UInt8>, with send: SendRegistration) async throws {
        let preparation = try keys().prepare().preparation
        // A key that was created just now can't have leaked.
        if preparation == .unchanged { _ = try keys().renew() }
        try await register(deviceToken: deviceToken, with: send)
    }

    /// Deletes the account's keys and the state of its registration, when the user signs out.
    ///
    /// Tell the server first, so that it stops sending. Pushes that are sealed already can never be opened again; an
    /// opener with `removedKeys` reports them as `removedAccount` for 32 days. Other accounts stay as they are.
    ///
    /// - Parameter removedKeys: The list for the IDs of the deleted keys; `nil` records nothing and deletes damaged
    ///   keys too.
    /// - Throws: ``PushCryptError`` with `keyUnreadable`, `deviceLocked` or `missingEntitlement` if the keys can't be
    ///   read or deleted now, or a file error. Call the method again in that case.
    public func removeAccount(recordingIn removedKeys: RemovedKeys?) throws(PushCryptError) {
        do {
            // Recorded first, because the IDs are unknown afterwards. An existing key opens messages nevertheless.
            if let removedKeys, let keyring = try store.keyring() {
                try removedKeys.add(keyring.keys.map(\.publicKey.keyID), at: time.now)
            }
            try store.deleteKeyring()
        } catch {
            throw .keyUnreadable("deleted", error)
        }
        try SecretFile(state.path).delete()
    }

    func keys() throws(PushCryptError) -> DeviceKeys {
        // Before anything is created: without the device's identifier the keys couldn't be recognized later.
        guard !deviceID.isEmpty else { throw Installation.unknownDevice }
        return DeviceKeys(
            store: store,
            installation: Installation(deviceID: deviceID, installationID: try state.read().installationID),
            rotationAge: rotationAge, lifetime: lifetime, roots: try senderPolicy.roots, time: time)
    }

    private func registered(
        _ registration: Registration, _ token: String
    ) throws(PushCryptError) -> RegistrationState.Registered {
        try RegistrationState.Registered(registration, token: token, account: account, roots: senderPolicy.roots)
    }

    /// Returns whether the server has confirmed the registration recently.
    private func isKnown(_ registration: Registration, _ token: String) throws(PushCryptError) -> Bool {
        let registered = try registered(registration, token)
        let contents = try state.read()
        guard contents.registered == registered, let confirmed = contents.confirmed else { return false }
        // The range excludes a confirmation from the future: the clock was set back.
        return (0..<Self.week).contains(time.now.timeIntervalSince1970 - TimeInterval(confirmed))
    }
}

extension DeviceRegistrar: CustomStringConvertible, Redacted {
    /// The name of the type, without the names of the device and the account.
    public var description: String { "DeviceRegistrar" }
}

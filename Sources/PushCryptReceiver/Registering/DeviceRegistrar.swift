public import Foundation
public import PushCryptCore
public import PushCryptKeyring
internal import PushCryptSystem

/// Creates, registers, rotates and deletes a device's keys, in one call on every launch of the app.
///
/// ```swift
/// let registrar = DeviceRegistrar(
///     store: store, deviceID: "identifierForVendor", directory: "/var/mobile/app/PushCrypt",
///     senderPolicy: .signed(by: "YOUR_SERVER_KEY"))
/// try await registrar.register(deviceToken: deviceToken) { request in
///     // POST request.json to your server, as the signed-in user.
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
/// A server can ask for a proof that the key and the token belong to this device: it answers
/// ``RegistrationResponse/challenged(date:signerLists:)``, and sends a sealed push. The registrar answers the push. If
/// no silent push arrives, it asks for a visible one at a launch after an hour.
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

    /// Sends a request, whose body is ``RegistrationRequest/json``, to the app's server.
    public typealias SendRegistration =
        @Sendable (_ request: RegistrationRequest) async throws -> RegistrationResponse

    /// The default of both periods, and the age at which a confirmation is repeated.
    static let week: TimeInterval = 7 * 24 * 3600

    let store: any KeyringStore
    private let deviceID: String
    let account: String
    private let rotationAge: TimeInterval
    private let lifetime: TimeInterval
    let senderPolicy: SenderPolicy
    let challenges: StoredChallenges?
    let carrier: Carrier
    let state: RegistrationState
    let time: any TimeSource

    /// Creates a registrar without reading anything.
    ///
    /// - Parameters:
    ///   - store: The store of the device's keys.
    ///   - deviceID: `identifierForVendor`; `nil` until the device is unlocked for the first time after a restart.
    ///   - directory: An existing directory that is deleted with the app and excluded from backups. Each store needs
    ///     its own.
    ///   - account: The server's permanent name of the signed-in user, which a proof binds. Only its hash is stored.
    ///     The registrar registers again when it changes.
    ///   - senderPolicy: The account's policy, as in its ``PushAccount``. With ``SenderPolicy/anyone``, the
    ///     registration doesn't tell the accepted keys, and lists of accepted keys are ignored.
    ///   - rotationAge: The age, in seconds, that a key doesn't exceed if the app is opened daily; from an hour to a
    ///     year, 7 days by default.
    ///   - lifetime: The longest lifetime of pushes to new keys, in seconds, up to 30 days; 7 days by default. A
    ///     retired key is destroyed after its lifetime and 48 hours. Existing keys keep theirs.
    ///   - carrier: The service that delivers the app's pushes, and has issued the token.
    ///   - time: The source of the time.
    public init(
        store: any KeyringStore, deviceID: String?, directory: String, account: String = "",
        senderPolicy: SenderPolicy, rotationAge: TimeInterval = 7 * 24 * 3600,
        lifetime: TimeInterval = 7 * 24 * 3600, carrier: Carrier = .apns, time: any TimeSource = SystemTime()
    ) {
        self.init(
            store: store, deviceID: deviceID, directory: directory, account: account, senderPolicy: senderPolicy,
            rotationAge: rotationAge, lifetime: lifetime, challenges: nil, carrier: carrier, time: time)
    }

    /// Creates a registrar that also answers the visible challenges that the extension has opened.
    package init(
        store: any KeyringStore, deviceID: String?, directory: String, account: String = "",
        senderPolicy: SenderPolicy, rotationAge: TimeInterval = 7 * 24 * 3600,
        lifetime: TimeInterval = 7 * 24 * 3600, challenges: StoredChallenges?,
        carrier: Carrier = .apns, time: any TimeSource = SystemTime()
    ) {
        self.store = store
        self.deviceID = deviceID ?? ""
        self.account = account
        self.rotationAge = rotationAge
        self.lifetime = lifetime
        self.senderPolicy = senderPolicy
        self.challenges = challenges
        self.carrier = carrier
        self.time = time
        state = RegistrationState(path: directory + "/pushcrypt.device")
    }

    /// Prepares the keys, and registers them if the server doesn't know them.
    ///
    /// - Parameters:
    ///   - token: The token that the carrier has issued for this device, such as Firebase's registration token or
    ///     `ExponentPushToken[…]`. For APNs, it's the system's device token in hexadecimal digits.
    ///   - send: Sends a request to the app's server. It isn't called if the server knows everything, or if a challenge
    ///     of the last hour is still to come.
    /// - Returns: The state in which the keys were found.
    /// - Throws: What `send` throws, or ``PushCryptError``: `keyUnreadable`, `deviceLocked` or `missingEntitlement` if
    ///   the keys can't be used now; `staleGeneration` if the server rejects the newer generation too;
    ///   `malformedRegistration` if the server's generation is too large; `unknownKey` if the keys were deleted
    ///   meanwhile; `invalidLifetime`; or a file error. The keys are safe then, and the next call continues.
    ///   `invalidConfiguration` or another code if the sender policy isn't valid. If the server's list of accepted keys
    ///   breaks a rule, the code of the rule, such as `expiredSignerList`; the registration is then confirmed.
    ///   `missingValue` if the token is empty.
    @discardableResult
    public func register(token: String, with send: SendRegistration) async throws -> Preparation {
        guard !token.isEmpty else {
            throw PushCryptError(.missingValue, "The device token is empty. Wait until the carrier has issued it.")
        }
        let (preparation, _, missesTime) = try keys().prepare()
        if missesTime { try state.update { $0.confirmed = nil } }
        let failure = try await answerStoredChallenge(token, with: send)
        // The answer may have changed the keys.
        let registration = try keys().registration()
        let isSettled = try preparation == .unchanged && isKnown(registration, token)
        guard try !isSettled && !isAwaitingChallenge(for: registration, token) else {
            if let failure { throw failure }
            return preparation
        }
        try await confirm(registration, token, with: send)
        return preparation
    }

    /// Creates and registers a new key, because the keys may have leaked.
    ///
    /// If the server can't be reached, the next ``register(token:with:)`` registers the new key.
    ///
    /// - Throws: The errors of ``register(token:with:)``.
    public func renew(token: String, with send: SendRegistration) async throws {
        let preparation = try keys().prepare().preparation
        // A key that was created just now can't have leaked.
        if preparation == .unchanged { _ = try keys().renew() }
        try await register(token: token, with: send)
    }

    /// Deletes the account's keys and the state of its registration, when the user signs out.
    ///
    /// Tell the server first, so that it stops sending. Pushes that are sealed already can never be opened again. Other
    /// accounts stay as they are. Damaged keys are deleted, too.
    ///
    /// - Throws: ``PushCryptError`` with `keyUnreadable`, `deviceLocked` or `missingEntitlement` if the keys can't be
    ///   deleted now, or a file error. Call the method again in that case.
    public func removeAccount() throws(PushCryptError) { try removeAccount(recordingIn: nil) }

    /// Deletes the account, and records the IDs of its keys unless the list is `nil`.
    ///
    /// - Throws: ``PushCryptError`` as ``removeAccount()`` does, also if the keys can't be read.
    package func removeAccount(recordingIn removedKeys: RemovedKeys?) throws(PushCryptError) {
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
}

extension DeviceRegistrar: CustomStringConvertible, Redacted {
    /// The name of the type, without the names of the device and the account.
    public var description: String { "DeviceRegistrar" }
}

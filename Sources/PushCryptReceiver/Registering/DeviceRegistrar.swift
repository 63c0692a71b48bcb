internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring

/// Creates, registers, rotates and deletes the keys of one account: it performs the actions of
/// ``RegistrationMachine``, and stores each state before the action.
///
/// The server is called after a change of the key, the device token or the account, once a week,
/// and after some days without a launch. After an interruption the next launch continues. After a
/// reinstallation or a restored backup, new keys replace the old ones.
///
/// With a ``SenderPolicy``, each registration tells the server from which keys the device accepts
/// signatures. The lists of accepted keys in the server's answers are checked and stored beside the
/// device's keys.
struct DeviceRegistrar: Sendable {
    /// The default of both periods, in seconds.
    static let week = RegistrationMachine.week

    let store: RegistrationStore
    private let deviceID: String
    private let account: String
    private let rotationAge: TimeInterval
    private let lifetime: TimeInterval
    let senderPolicy: SenderPolicy
    let challenges: StoredChallenges?
    let carrier: Carrier
    let time: any TimeSource

    /// Creates a registrar without reading anything.
    ///
    /// - Parameters:
    ///   - store: The store of the device's keys.
    ///   - deviceID: `identifierForVendor`; `nil` until the device is unlocked for the first time
    ///     after a restart.
    ///   - directory: An existing directory that is deleted with the app and excluded from backups.
    ///     Each store needs its own.
    ///   - account: The server's permanent name of the signed-in user, which a proof binds. Only
    ///     its hash is stored.
    ///   - senderPolicy: The account's policy.
    ///   - rotationAge: The age, in seconds, that a key doesn't exceed if the app is opened daily.
    ///   - lifetime: The longest lifetime of pushes to new keys, in seconds.
    ///   - challenges: The challenges that the extension has stored.
    ///   - carrier: The service that delivers the app's pushes, and has issued the token.
    ///   - time: The source of the time.
    init(
        store: any KeyringStore, deviceID: String?, directory: String, account: String = "",
        senderPolicy: SenderPolicy, rotationAge: TimeInterval = 7 * 24 * 3600,
        lifetime: TimeInterval = 7 * 24 * 3600, challenges: StoredChallenges? = nil,
        carrier: Carrier = .apns, time: any TimeSource = SystemTime()
    ) {
        self.store = RegistrationStore(keys: store, path: directory + "/pushcrypt.device")
        self.deviceID = deviceID ?? ""
        self.account = account
        self.rotationAge = rotationAge
        self.lifetime = lifetime
        self.senderPolicy = senderPolicy
        self.challenges = challenges
        self.carrier = carrier
        self.time = time
    }

    /// Prepares the keys, and registers them if the server doesn't know them.
    ///
    /// - Returns: The state in which the keys were found.
    /// - Throws: As ``PushInbox/register(_:account:with:)`` does.
    @discardableResult
    func register(_ token: DeviceToken, with send: PushInbox.SendRegistration) async throws
        -> KeyPreparation
    {
        try await launch(token, with: send).preparation
    }

    /// Registers, and returns the result of the conversation.
    func launch(
        _ token: DeviceToken, with send: PushInbox.SendRegistration
    ) async throws -> RegistrationMachine.Conversation {
        try await converse(.launched, token, with: send)
    }

    /// Creates and registers a new key, because the keys may have leaked.
    func renew(_ token: DeviceToken, with send: PushInbox.SendRegistration) async throws {
        _ = try await converse(.renewed, token, with: send)
    }

    /// Registers, or answers a challenge, if a push asks for it.
    ///
    /// - Returns: A Boolean value that indicates whether the push asked, and the server was asked.
    func register(
        ifAskedBy push: AskingPush, _ token: DeviceToken, with send: PushInbox.SendRegistration
    ) async throws -> Bool {
        switch push {
        case .request: return try await converse(.asked, token, with: send).hasAsked
        case .sealed(let value):
            guard let event = event(of: value) else { return false }
            return try await converse(event, token, with: send).hasAsked
        }
    }

    /// Deletes the account's keys and the record of its registration, and records the IDs of its
    /// keys.
    ///
    /// - Throws: ``PushCryptError`` as ``PushInbox/removeAccount(_:)`` does.
    func removeAccount(recordingIn removedKeys: RemovedKeys? = nil) throws(PushCryptError) {
        // Recorded first, because the IDs are unknown afterwards. An existing key opens messages
        // nevertheless.
        if let removedKeys {
            do {
                let keys = try store.keys.keyring()?.keys ?? []
                try removedKeys.add(keys.map(\.publicKey.keyID), at: time.now)
            } catch {
                throw .keyUnreadable("deleted", error)
            }
        }
        try store.delete()
    }

    // MARK: The driver

    private func converse(
        _ first: RegistrationMachine.Event, _ token: DeviceToken,
        with send: PushInbox.SendRegistration
    ) async throws -> RegistrationMachine.Conversation {
        var conversation = RegistrationMachine.Conversation(token: try token.text(for: carrier))
        var event = first
        var stored: [SealedValue] = []
        while true {
            switch try step(event, &conversation) {
            case .openChallenges(let since):
                let challenges = storedChallenges(since: since)
                stored = challenges.map(\.value)
                event = .storedChallenges(challenges.map(\.content))
            case .send(let request):
                // The server seals to the key of a registration. A proof is for one that was sent
                // before.
                if request.proof == nil, let sent = conversation.sent {
                    try store.checkStored(sent.key.keyID)
                }
                event = await answer(to: request, with: send)
            case .end:
                if conversation.hasProved { forget(stored) }
                return conversation
            case .fail(let error):
                if conversation.hasProved { forget(stored) }
                throw error
            }
        }
    }

    private func answer(
        to request: RegistrationRequest, with send: PushInbox.SendRegistration
    ) async -> RegistrationMachine.Event {
        do {
            return .answered(try await send(request))
        } catch {
            return .unanswered(error)
        }
    }

    /// Changes the stored state, and returns the action that follows.
    private func step(
        _ event: RegistrationMachine.Event, _ conversation: inout RegistrationMachine.Conversation
    ) throws(PushCryptError) -> RegistrationMachine.Action {
        try checkDeviceID()
        let before = conversation
        let roots = try senderPolicy.roots
        let (after, action) = try store.update { (record, keyring) throws(PushCryptError) in
            let machine = machine(of: record.installation, roots)
            let state = RegistrationMachine.State(
                record: record, keyring: keyring, conversation: before)
            let (next, action) = try machine.step(state, event)
            record = next.record
            keyring = next.keyring
            return (next.conversation, action)
        }
        conversation = after
        return action
    }

    /// Throws if the device's identifier is missing: without it, the keys couldn't be recognized
    /// later.
    func checkDeviceID() throws(PushCryptError) {
        guard !deviceID.isEmpty else { throw Installation.unknownDevice }
    }

    /// Returns the machine of an installation, at the present time.
    func machine(of installation: String, _ roots: SignerRoots?) -> RegistrationMachine {
        RegistrationMachine(
            rotation: KeyRotation(
                installation: Installation(deviceID: deviceID, installationID: installation),
                rotationAge: rotationAge, lifetime: lifetime, roots: roots),
            account: account, carrier: carrier, now: time.now)
    }
}

extension DeviceRegistrar: CustomStringConvertible, Redacted {
    /// The name of the type, without the names of the device and the account.
    var description: String { "DeviceRegistrar" }
}

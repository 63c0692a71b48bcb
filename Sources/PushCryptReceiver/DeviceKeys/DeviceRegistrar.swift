public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an app does about its keys, in one call at every start: makes, registers, confirms and rotates them.
///
/// Its server is asked when it has to know something new: a key, a device token or an account that it has not confirmed; and
/// once a week, because a server may lose what it knew. Wherever that stops, the next start goes on from there.
///
/// It is for the app alone. An extension has folders of its own, would be another installation, and reads the keys only.
public struct DeviceRegistrar: Sendable {
    /// What the app's server has answered, in an authenticated answer.
    public enum Answer: Sendable, Hashable {
        /// It has stored the registration.
        ///
        /// - `at`: its time, as the header `Date` of its answer has it, where the app can tell.
        case confirmed(at: Date?)
        /// It knows a newer generation, this one: it has refused with `stale-generation`.
        case stale(generation: UInt64)
    }

    /// Sends a registration, as JSON, and the device token, in hexadecimal digits, to the app's server.
    public typealias Server = @Sendable (_ registration: String, _ deviceToken: String) async throws -> Answer

    /// After how many seconds the server is told again what it has confirmed: a week.
    ///
    /// A server that was set back to a backup seals to a key that may be gone, and nobody else would tell it.
    static let repetitionAge: TimeInterval = 7 * 24 * 3600

    /// Where the keys are.
    public let store: any KeyringStore

    /// What a device is called that does not travel to another one; empty where nobody can say now.
    public let device: String

    /// Who is signed in; empty where nobody is, or the app has no accounts.
    public let account: String

    /// After how many seconds a key is replaced.
    public let rotationAge: TimeInterval

    private let notes: RegistrationState
    private let time: any TimeSource

    /// Looks after the keys in a store.
    ///
    /// - Parameters:
    ///   - store: where the keys are.
    ///   - device: `identifierForVendor`; `nil` after a restart until the device is unlocked for the first time.
    ///   - folder: a folder that exists, goes with the app and is not backed up: what the server has confirmed is noted there.
    ///     Each store needs one of its own.
    ///   - account: who is signed in, by any name that stays. When that is somebody else, the server is asked anew; it is noted
    ///     as a hash only.
    ///   - rotationAge: after how many seconds a key is replaced; 90 days by default.
    ///   - time: where the time comes from.
    public init(
        store: any KeyringStore, device: String?, folder: String, account: String = "",
        rotationAge: TimeInterval = 90 * 24 * 3600, time: any TimeSource = SystemTime()
    ) {
        self.store = store
        self.device = device ?? ""
        self.account = account
        self.rotationAge = rotationAge
        self.time = time
        notes = RegistrationState(path: folder + "/pushcrypt.device")
    }

    /// Makes the keys if there are none, looks after them, and registers with the server what it does not know yet.
    ///
    /// It may be called twice at once: whatever the order, what the server has stored last is a key of this device.
    ///
    /// - Parameters:
    ///   - deviceToken: the token that the app has got from the system; 32 bytes as a rule.
    ///   - server: sends a registration to the app's server; not called where the server knows it all.
    /// - Returns: what was found; `ready` where all was well.
    /// - Throws: what `server` throws; ``PushCryptError`` with `keyUnreadable`, `deviceLocked` or `missingEntitlement` where the
    ///   keys cannot be used now, `staleGeneration` where the server goes on refusing, `malformedRegistration` where it says a
    ///   generation that cannot be, `unknownKey` where the keys were deleted meanwhile, or why the notes cannot be read or
    ///   written. Nothing is lost then, and the next start goes on.
    @discardableResult
    public func register(
        deviceToken: some Collection<UInt8>, with server: Server
    ) async throws -> DeviceKeys.Start {
        try checkDevice()
        let token = deviceToken.map { Self.hexadecimal($0) }.joined()
        var (start, registration) = try keys().start()
        guard try start != .ready || !isKnown(registration, token) else { return start }
        var answer = try await server(registration.json, token)
        if case .stale(let generation) = answer {
            try keys().overtake(generation)
            // It may be another key by now, and that is then what the server confirms.
            registration = try keys().registration()
            answer = try await server(registration.json, token)
        }
        guard case .confirmed(let date) = answer else {
            throw PushCryptError(
                .staleGeneration,
                "The server refuses the registration as old, though it has a greater generation than the server has said."
            )
        }
        try keys().confirm(registration, serverTime: date)
        let confirmed = try RegistrationState.Registered(registration, token, account)
        let now = time.now
        try notes.change { $0.confirm(confirmed, at: now) }
        return start
    }

    /// Makes a new key, because the keys may have leaked, and registers it.
    ///
    /// Where the server cannot be reached, the new key waits for the next ``register(deviceToken:with:)``; it need not be made
    /// again.
    ///
    /// - Parameters:
    ///   - deviceToken: the token that the app has got from the system.
    ///   - server: sends a registration to the app's server.
    /// - Throws: as ``register(deviceToken:with:)``.
    public func renew(deviceToken: some Collection<UInt8>, with server: Server) async throws {
        try checkDevice()
        switch try keys().start().start {
        // That key was made just now, and has leaked nowhere.
        case .made, .restored: break
        case .ready, .reinstalled: _ = try keys().renew()
        }
        try await register(deviceToken: deviceToken, with: server)
    }

    /// The keys, for what this type has no call for.
    ///
    /// - Returns: the keys of this installation.
    /// - Throws: ``PushCryptError`` where its name cannot be read or written.
    public func keys() throws(PushCryptError) -> DeviceKeys {
        DeviceKeys(
            store: store, installation: Installation(device: device, installation: try notes.installation()),
            rotationAge: rotationAge, time: time)
    }

    /// Refuses to begin before anything is read or made, where nobody can say whose the keys are.
    private func checkDevice() throws(PushCryptError) {
        guard device.isEmpty else { return }
        throw PushCryptError(
            .keyUnreadable,
            """
            The device has no name now, so nobody can say whose the keys are. identifierForVendor is nil until the device is \
            unlocked for the first time: register again later.
            """)
    }

    /// Whether the server has confirmed this, and not too long ago.
    private func isKnown(_ registration: Registration, _ token: String) throws(PushCryptError) -> Bool {
        let known = try RegistrationState.Registered(registration, token, account)
        let contents = try notes.read()
        guard contents.registered == known, let confirmed = contents.confirmed else { return false }
        // A clock that was set back says nothing of how long it is ago.
        return (0..<Self.repetitionAge).contains(time.now.timeIntervalSince1970 - TimeInterval(confirmed))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}

extension DeviceRegistrar: CustomStringConvertible, CustomReflectable {
    /// Neither the device's name nor the account's.
    public var description: String { "DeviceRegistrar" }

    /// No members, so that `dump` and debug descriptions do not show them either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an app does about its keys, in one call at every start: makes, registers, confirms and rotates them.
///
/// Its server is asked when it has to know something new, and only then: a key or a device token that it has not confirmed.
/// Wherever that stops, the next start goes on from there.
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

    /// Where the keys are.
    public let store: any KeyringStore

    /// What a device is called that does not travel to another one; empty where nobody can say now.
    public let device: String

    /// After how many seconds a key is replaced.
    public let rotationAge: TimeInterval

    private let notes: DeviceNotes
    private let time: any TimeSource

    /// Looks after the keys in a store.
    ///
    /// - Parameters:
    ///   - store: where the keys are.
    ///   - device: `identifierForVendor`; `nil` after a restart until the device is unlocked for the first time.
    ///   - folder: a folder that exists, goes with the app and is not backed up: what the server has confirmed is noted there.
    ///   - rotationAge: after how many seconds a key is replaced; 90 days by default.
    ///   - time: where the time comes from.
    public init(
        store: any KeyringStore, device: String?, folder: String, rotationAge: TimeInterval = 90 * 24 * 3600,
        time: any TimeSource = SystemTime()
    ) {
        self.store = store
        self.device = device ?? ""
        self.rotationAge = rotationAge
        self.time = time
        notes = DeviceNotes(path: folder + "/pushcrypt.device")
    }

    /// Makes the keys if there are none, looks after them, and registers with the server what it does not know yet.
    ///
    /// - Parameters:
    ///   - deviceToken: the token that the app has got from the system; 32 bytes as a rule.
    ///   - server: sends a registration to the app's server; not called where the server knows it all.
    /// - Returns: what was found; `ready` where all was well.
    /// - Throws: what `server` throws; ``PushCryptError`` with `keyUnreadable`, `deviceLocked` or `missingEntitlement` where the
    ///   keys cannot be used now, `staleGeneration` where the server goes on refusing, or why the notes cannot be written.
    ///   Nothing is lost then, and the next start goes on.
    @discardableResult
    public func register(
        deviceToken: some Collection<UInt8>, with server: Server
    ) async throws -> DeviceKeys.Start {
        let token = deviceToken.map { Self.hexadecimal($0) }.joined()
        let (start, registration) = try keys().start()
        let known = try DeviceNotes.Registered(registration, token)
        let confirmed = try notes.read().registered
        guard start != .ready || confirmed != known else { return start }
        var answer = try await server(registration.json, token)
        if case .stale(let generation) = answer {
            try keys().overtake(generation)
            answer = try await server(try keys().registration().json, token)
        }
        guard case .confirmed(let date) = answer else {
            throw PushCryptError(
                .staleGeneration,
                "The server refuses the registration as old, though it has a greater generation than the server has said."
            )
        }
        try keys().confirm(registration, serverTime: date)
        try notes.change { $0.registered = known }
        return start
    }

    /// Makes a new key, because the keys may have leaked, and registers it.
    ///
    /// - Parameters:
    ///   - deviceToken: the token that the app has got from the system.
    ///   - server: sends a registration to the app's server.
    /// - Throws: as ``register(deviceToken:with:)``.
    public func renew(deviceToken: some Collection<UInt8>, with server: Server) async throws {
        _ = try keys().renew()
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

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}

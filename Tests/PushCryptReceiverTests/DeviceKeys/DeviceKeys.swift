import Foundation

@testable import PushCryptReceiver

/// The steps of a device's keys on a store, without a server.
struct DeviceKeys: Sendable {
    let store: any KeyringStore
    let installation: Installation
    var rotationAge = DeviceRegistrar.week
    var lifetime = DeviceRegistrar.week
    var roots: SignerRoots?
    var time: any TimeSource = SystemTime()

    private var rotation: KeyRotation {
        KeyRotation(
            installation: installation, rotationAge: rotationAge, lifetime: lifetime, roots: roots)
    }

    func prepare(isCreating: Bool = true) throws(PushCryptError) -> (
        preparation: KeyPreparation, registration: Registration, missesTime: Bool
    ) {
        let prepared = try store.changing { (keyring) throws(PushCryptError) in
            try rotation.prepare(&keyring, at: time.now, isCreating: isCreating)
        }
        return (prepared.state, try registration(), prepared.missesTime)
    }

    func registration() throws(PushCryptError) -> Registration {
        try rotation.registration(of: keyring())
    }

    func confirm(_ registration: Registration, serverTime: Date? = nil) throws(PushCryptError) {
        try store.changing { (keyring) throws(PushCryptError) in
            try rotation.confirm(registration, in: &keyring, at: time.now, serverTime: serverTime)
        }
    }

    func followGeneration(_ known: UInt64, rejecting registration: Registration)
        throws(PushCryptError)
    {
        try store.changing { (keyring) throws(PushCryptError) in
            try rotation.followGeneration(
                known, rejecting: registration, in: &keyring, at: time.now)
        }
    }

    func renew() throws(PushCryptError) -> Registration {
        try store.changing { (keyring) throws(PushCryptError) in
            try rotation.renew(&keyring, at: time.now)
        }
        return try registration()
    }

    func addSignerLists(_ lists: [String], at date: Date) throws(PushCryptError) -> PushCryptError?
    {
        try store.changing { (keyring) throws(PushCryptError) in
            rotation.addSignerLists(lists, to: &keyring, at: date)
        }
    }

    func keyring() throws(PushCryptError) -> DeviceKeyring? {
        do {
            return try store.keyring()
        } catch {
            throw .keyUnreadable("read", error)
        }
    }
}

/// The record of a registration in its file, without a keyring.
struct RegistrationState: Sendable {
    let path: String
    var keys: any KeyringStore = InMemoryKeyringStore()

    func read() throws(PushCryptError) -> RegistrationRecord {
        try RegistrationStore(keys: keys, path: path).update { record, _ in record }
    }

    func update(_ change: (inout RegistrationRecord) -> Void) throws(PushCryptError) {
        try RegistrationStore(keys: keys, path: path).update { record, _ in change(&record) }
    }
}

/// A store that has no keyring.
private struct InMemoryKeyringStore: KeyringStore {
    func keyring() throws -> DeviceKeyring? { nil }
    func update(_ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void) throws {
        var keyring: DeviceKeyring?
        try change(&keyring)
    }
    func deleteKeyring() throws {}
}

extension RegistrationRecord {
    mutating func confirm(_ registered: RegisteredHashes, at now: Date) {
        self.registered = registered
        begun = nil
        confirmed = Self.seconds(now)
    }
}

extension DeviceRegistrar {
    /// The steps of the keys, with the registrar's store and settings.
    func keys() throws -> DeviceKeys {
        try checkDeviceID()
        let rotation = machine(of: try state.read().installation, try senderPolicy.roots).rotation
        return DeviceKeys(
            store: store.keys, installation: rotation.installation,
            rotationAge: rotation.rotationAge,
            lifetime: rotation.lifetime, roots: rotation.roots, time: time)
    }

    /// The record of the registration.
    var state: RegistrationState { RegistrationState(path: store.path) }

    func registered(_ registration: Registration, _ token: String) throws -> RegisteredHashes {
        try machine(of: "", senderPolicy.roots).hashes(registration, token: token)
    }

    /// Registers if a push asks for it, as ``PushInbox`` does.
    func register(
        ifAskedBy userInfo: [AnyHashable: Any], _ token: DeviceToken,
        with send: PushInbox.SendRegistration
    ) async throws -> Bool {
        guard let push = try AskingPush(userInfo: userInfo, from: carrier) else { return false }
        return try await register(ifAskedBy: push, token, with: send)
    }
}

/// Returns bytes in hexadecimal digits.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting

@testable import PushCryptReceiver

/// A device with one account, and its state in memory.
final class ProofDevice {
    let store = TestKeyringStore()
    var account: String
    var token: [UInt8]
    private let folder: RegistrationStateDirectory
    private let time: any TimeSource
    private let policy: SenderPolicy

    init(account: String, token: [UInt8], time: any TimeSource, signer: VerificationKey) throws {
        self.account = account
        self.token = token
        self.time = time
        policy = .signed(by: [signer])
        folder = try RegistrationStateDirectory()
    }

    var tokenText: String { hexadecimal(token) }

    var state: RegistrationRecord { get throws { try registrar.state.read() } }

    /// A Boolean value that indicates whether the server has confirmed the last registration, in
    /// this account.
    var isConfirmed: Bool {
        get throws {
            let state = try state
            let own = try registrar.registered(registrar.keys().registration(), tokenText)
            return state.begun == nil && state.registered?.token == own.token
        }
    }

    var challenges: StoredChallenges { StoredChallenges(path: folder.path + "/challenges") }

    var registrar: DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path, account: account,
            senderPolicy: policy,
            challenges: challenges, time: time)
    }

    /// Restores a keyring from a backup, which doesn't have the registrar's state.
    func restore(_ backup: DeviceKeyring) throws {
        try store.update { $0 = backup }
        try folder.put(nil)
    }

    /// Returns whether the device opens a sealed payload.
    func opens(_ payload: [UInt8]) throws -> Bool {
        _ = try Opener(keys: store, senderPolicy: policy, time: time).open(json: payload)
        return true
    }

    /// Starts the app.
    func start(with send: PushInbox.SendRegistration) async throws {
        try await registrar.register(DeviceToken(token), with: send)
    }

    /// Delivers a push, as the system does: a background push to the app, an alert to the
    /// extension.
    ///
    /// - Returns: A Boolean value that indicates whether the app answered a challenge.
    @discardableResult
    func deliver(_ push: ProofServer.Push, with send: PushInbox.SendRegistration) async throws
        -> Bool
    {
        guard push.isVisible else {
            let text = String(
                decoding: try SealedValue(json: push.payload, from: .apns).text, as: UTF8.self)
            return try await registrar.register(
                ifAskedBy: ["ENCRYPTED_DATA": text], DeviceToken(token), with: send)
        }
        let value = try SealedValue(json: push.payload, from: .apns)
        if (try? registrar.challenge(in: value)) != nil { try challenges.add(value, at: time.now) }
        return false
    }
}

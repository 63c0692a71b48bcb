// Docs/KeyManagement.md: compiled here, run by KeyManagementTests, and the same there.
import Foundation
import PushCryptReceiver
import PushCryptSender

enum KeyManagementSnippet {
    /// What a server answers.
    struct Answer {
        let date: Date
        /// The generation that it knows, where it has refused a registration as older.
        let staleGeneration: UInt64?
    }

    static func app(
        _ keyringPath: String, _ vendorID: String?, _ notesFolder: String, _ userID: String, _ token: Data,
        send: @escaping @Sendable (String, String) async throws -> Answer
    ) async throws {
        // begin
        let registrar = DeviceRegistrar(
            store: KeyringFileStore(path: keyringPath), device: vendorID, folder: notesFolder, account: userID)
        try await registrar.register(deviceToken: token) { registration, token in
            let answer = try await send(registration, token)
            if let known = answer.staleGeneration { return .stale(generation: known) }
            return .confirmed(at: answer.date)
        }
        // end
    }

    static func device(
        _ keyringPath: String, _ vendorID: String, _ installationID: String, _ token: String,
        _ registered: inout (key: String, token: String)?, register: (String, String) throws -> Answer
    ) throws {
        // begin
        let keys = DeviceKeys(
            store: KeyringFileStore(path: keyringPath),
            installation: Installation(device: vendorID, installation: installationID))
        let (start, registration) = try keys.start()
        if start != .ready || registration.key.jwk != registered?.key || token != registered?.token {
            var answer = try register(registration.json, token)
            if let known = answer.staleGeneration {
                try keys.overtake(known)
                answer = try register(keys.registration().json, token)
            }
            try keys.confirm(registration, serverTime: answer.date)
            registered = (registration.key.jwk, token)
        }
        // end
    }

    static func server(_ known: Recipient?, _ registrationJSON: [UInt8], _ token: String) throws -> Recipient {
        // begin
        let recipient = try Recipient.updating(known, with: registrationJSON, deviceToken: token)
        // end
        return recipient
    }
}

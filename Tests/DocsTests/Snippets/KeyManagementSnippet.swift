// Docs/KeyManagement.md: compiled here, run by KeyManagementTests, and the same there.
import Foundation
import PushCryptReceiver
import PushCryptSender

enum KeyManagementSnippet {
    /// What a server answers.
    struct Answer { let date: Date }

    static func device(
        _ keyringPath: String, _ vendorID: String, _ installationID: String, _ confirmedKey: String?,
        register: (String) throws -> Answer
    ) throws {
        // begin
        let keys = DeviceKeys(
            store: KeyringFileStore(path: keyringPath),
            installation: Installation(device: vendorID, installation: installationID))
        let registration = try keys.start().registration
        if registration.key.jwk != confirmedKey {
            let answer = try register(registration.json)
            try keys.confirm(registration, serverTime: answer.date)
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

import Clibsodium
import Foundation
import PushCryptReceiver

/// The format of a home automation app: a secretbox under a secret that the app and its server
/// share.
///
/// The member `encrypted_data` has the base64 of the nonce (24 bytes) and the box. The box has
/// `title` and `message`.
struct HomeOpener: ForeignOpener {
    let name = "home"
    let secret: [UInt8]
    var end: Date?

    struct Wrong: Error {}

    private struct Message: Decodable {
        let title: String
        let message: String
        let tag: String?
    }

    func open(_ push: ForeignPush) async throws -> ForeignOriginal? {
        guard let text = push["encrypted_data"]?.stringValue else { return nil }
        guard let bytes = Data(base64Encoded: text), bytes.count >= 24 + 16 else { throw Wrong() }
        let (nonce, box) = (Array(bytes.prefix(24)), Array(bytes.dropFirst(24)))
        var opened = [UInt8](repeating: 0, count: box.count - 16)
        guard unsafe crypto_secretbox_open_easy(&opened, box, UInt64(box.count), nonce, secret) == 0
        else {
            throw Wrong()
        }
        let message = try JSONDecoder().decode(Message.self, from: Data(opened))
        let alert = ["title": message.title, "body": message.message]
        let payload = try JSONSerialization.data(withJSONObject: [
            "aps": ["alert": alert, "sound": "default"]
        ])
        return .message(payload, isAuthenticated: true, id: message.tag)
    }
}

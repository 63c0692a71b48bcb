import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import PushCryptReceiver

@main
struct FirstServer {
    static func main() async throws {
        // The server's keys. The first run creates the file, and the app pins the public key.
        let keyring = try SigningKeyringFile(path: "server.jwks").readOrCreate(at: Date())
        let serverKey = keyring.primary.key.publicKey
        print("The app pins:", serverKey.jwk)

        // A registration, as the app sends it at each launch. A file stands in for the keychain of
        // a device.
        let deviceKey = try RecipientKeyringFile(path: "device.jwks").readOrCreate(at: Date())
            .primary
        let created = Int(deviceKey.created.timeIntervalSince1970)
        let key = deviceKey.key.publicKey.jwk
        let registration =
            #"{"created":\#(created),"generation":1,"key":\#(key),"lifetime":604800}"#
        let device = try store(
            registration, deviceToken: String(repeating: "5c", count: 32), account: "anna")

        // APNs on this machine, with the checks and the answers that Apple documents.
        let server = try await APNsTestServer(topic: "com.example.app")
        let apns = try APNsClient(server.authentication, environment: server.environment)

        // Seal and send.
        let sealer = Sealer(.signed(by: keyring))
        let payload =
            #"{"aps":{"alert":{"title":"Card payment","body":"You paid 1,249.00 € in Berlin."}}}"#
        let push = try sealer.seal(
            json: payload, for: device, headers: APNsHeaders(topic: "com.example.app"))
        let receipt = try await apns.send(push, to: device)
        print("Accepted:", receipt.id)

        // What arrived, to Apple and to the device.
        for accepted in server.pushes {
            print(
                "Apple reads:", String(decoding: accepted.payload.prefix(100), as: UTF8.self), "…")
            let opener = Opener(
                keys: InMemoryKeyStore([deviceKey.key]), senderPolicy: .signed(by: serverKey))
            let opened = try opener.open(json: accepted.payload)
            print("The device reads:", String(decoding: opened.payload, as: UTF8.self))
        }
        await apns.shutDown()
        try await server.stop()
    }

    /// Stores a registration, and returns the row of its device.
    ///
    /// A server with a database does this in one transaction, after it has authenticated the user.
    static func store(_ registration: String, deviceToken: String, account: String) throws
        -> Recipient
    {
        let file = URL(fileURLWithPath: "\(account)-\(deviceToken.prefix(8)).json")
        let stored = try? JSONDecoder().decode(Recipient.self, from: Data(contentsOf: file))
        let recipient = try Recipient(
            registration: Registration(parsing: registration), deviceToken: deviceToken,
            account: account,
            replacing: stored)
        try JSONEncoder().encode(recipient).write(to: file)
        return recipient
    }
}

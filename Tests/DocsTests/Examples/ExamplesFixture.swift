// Only stand-ins of notifications can be created by a test.
#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import UserNotifications

/// A device with its keys, and the app's server.
final class ExamplesFixture: Sendable {
    let store: TestKeyringStore
    let secrets = InMemorySecretsStore()
    let device: RecipientPrivateKey
    private let server: SigningKey
    private let scratch: Scratch

    init() throws {
        let ring = try Keyring<RecipientPrivateKey>(createdAt: Date())
        store = TestKeyringStore(ring)
        device = ring.primary.key
        server = try TestKeys.sender()
        scratch = try Scratch()
        try setup.state?.prepare(display: setup.display)
    }

    var setup: PushSetup {
        PushSetup(
            keys: store, senderPolicy: .signed(by: [server.publicKey]),
            downloader: URLSessionDownloader(hosts: ["127.0.0.1"], allowsHTTP: true), secrets: secrets,
            sharedDirectory: scratch.path)
    }

    /// Returns a payload with a sealed picture, and a server that has the file.
    func picture() throws -> (server: LoopbackServer, json: String) {
        let (file, sealed) = (scratch.write(Array("GIF89a and the rest".utf8), to: "cat.gif"), scratch.file("sealed"))
        let server = LoopbackServer { connection in
            connection.answer(FileManager.default.contents(atPath: sealed).map { [UInt8]($0) } ?? [])
        }
        var payload = Payload(title: "Anna", body: "A cat")
        payload.attachments = [
            try MediaAttachment(sealing: file, to: sealed, url: server.url("cat").absoluteString)
        ]
        return (server, try String(decoding: payload.json(), as: UTF8.self))
    }

    func lock() {
        store.behavior = .unreadable(PushCryptError(.deviceLocked, "The device is locked."))
    }

    /// Returns a payload as the system hands it over, sealed by the example's server.
    func sealed(
        _ json: String, _ type: PushType = .alert, exposedKeys: Set<ExposedKey> = [], by key: SigningKey? = nil
    ) throws -> [AnyHashable: Any] {
        let push = try Sealer(.signed(by: key ?? server), exposedKeys: exposedKeys).seal(
            json: json.utf8, for: device.publicKey, headers: APNsHeaders(type))
        return try SystemDelivery.userInfo(push.payload)
    }

    /// Returns a list of accepted keys, signed by the key that the app pins.
    func signerList(_ keys: [SigningKey]) throws -> SignerList {
        let now = Date()
        return try SignerList(
            keys: keys.map(\.publicKey), issued: now, expiration: now + 3600, signedBy: Signer(server))
    }

    /// Returns the notification that the system shows after the extension has run.
    func delivered(
        _ userInfo: [AnyHashable: Any], identifier: String = "1", by service: SealedNotificationService? = nil
    ) throws -> UNNotification {
        let service = service ?? ExampleService(setup)
        return try SystemDelivery.notification(SystemDelivery.request(userInfo, identifier: identifier)) {
            service.didReceive($0, withContentHandler: $1)
        }
    }
}

/// The example, with keys that Linux can have, and settings that no Info.plist has in a test.
final class ExampleService: DocsExamples.NotificationService {
    private let setup: PushSetup

    init(_ setup: PushSetup) {
        self.setup = setup
    }

    override var keys: any KeyStore { setup.keys }
    override var senderPolicy: SenderPolicy { setup.senderPolicy }
    override var secrets: any DeviceSecretsStore { setup.secrets }
    override var sharedDirectory: String? { setup.sharedDirectory }
    override var attachmentDownloader: (any AttachmentDownloader)? { setup.downloader }
}
#endif

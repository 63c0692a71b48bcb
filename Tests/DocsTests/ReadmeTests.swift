import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

// The app group, the keychain group and the server's key come from the Info.plist.
nonisolated class NotificationService: SealedNotificationService {}

/// The code, commands and picture of the README.
@Suite(.ownThread) struct ReadmeTests {
    /// The settings of the test's app.
    fileprivate static let settings = LockedValue(PushConfiguration())

    private let readme: Document
    private let scratch: Scratch

    init() throws {
        readme = try Document("README.md")
        scratch = try Scratch()
    }

    @Test("The extension opens what the server seals, and rejects an unsealed payload")
    func serverAndExtensionWorkTogether() throws {
        // A clone doesn't keep the mode 0600, so the test keyrings are copied.
        let keyringPath = scratch.write(
            Array(try Document("Keys/test-server.jwks").text.utf8), to: "server.jwks")
        let device = scratch.write(
            Array(try Document("Keys/test-device.jwks").text.utf8), to: "device.jwks")
        let sent = try Self.seal(
            Array(#"{"aps":{"alert":"Hello"}}"#.utf8), keyringPath,
            """
            {"created":1767225600,"generation":1,"key":\(try Document("Keys/test-device.public.jwk").text),"lifetime":604800}
            """)
        let service = OnLinux(KeyringFileStore(path: device), try TestKeys.sender().publicKey)
        #expect(try shown(sent, service) == "Hello")
        #expect(try shown(Array(#"{"aps":{"alert":"Forged"}}"#.utf8), service) == "(Encrypted)")
        // Without settings in an Info.plist, the README's own extension shows the fallback.
        #expect(try shown(sent, NotificationService()) == "(Encrypted)")
    }

    private static func seal(_ payload: [UInt8], _ keyringPath: String, _ registration: String)
        throws -> [UInt8]
    {
        var sent: [UInt8] = []
        func send(_ payload: [UInt8], _ headers: [(name: String, value: String)]) throws {
            sent = payload
            #expect(headers.contains { $0 == ("apns-topic", "com.example.app") })
        }
        let keyring = try SigningKeyringFile(path: keyringPath).read()
        let sealer = Sealer(.signed(by: keyring))
        let device = try Registration(parsing: registration)
        let push = try sealer.seal(
            json: payload, for: device, headers: APNsHeaders(topic: "com.example.app"))
        try send(push.payload, push.headers.fields)
        return sent
    }

    /// Returns the body that an extension shows for a payload.
    private func shown(_ payload: [UInt8], _ service: NotificationService) throws -> String? {
        let request = SystemDelivery.request(try SystemDelivery.userInfo(payload))
        return try SystemDelivery.content(request) {
            service.didReceive($0, withContentHandler: $1)
        }.body
    }

    /// The README's extension with keys from files, because a test doesn't have a keychain and an
    /// Info.plist.
    private final class OnLinux: NotificationService {
        private let own: PushConfiguration

        init(_ store: KeyringFileStore, _ server: VerificationKey) {
            own = PushConfiguration(keys: store, senderPolicy: .signed(by: [server]))
        }

        override var configuration: PushConfiguration { own }
    }

    /// The app's connection to its server.
    private struct Server {
        let register: @Sendable (RegistrationRequest) async throws -> RegistrationResponse
    }

    @Test("The app registers its public key and device token, and the keys that it accepts")
    func appRegisters() async throws {
        let policy = SenderPolicy.signed(by: try TestKeys.sender().publicKey)
        let store = TestKeyringStore()
        Self.settings.withLock { [scratch] settings in
            settings = PushConfiguration(keys: store, senderPolicy: policy)
            settings.directory = scratch.path
            settings.registration.deviceID = { "phone" }
            settings.registration.directory = { _ in scratch.path }
        }
        let requests = LockedValue<[String]>([])
        let server = Server { request in
            requests.withLock { $0.append(request.registration + request.deviceToken) }
            return .accepted(date: Date())
        }
        let deviceToken = Data((0..<32).map { UInt8($0) })
        let inbox = PushInbox(.infoPlist)
        inbox.prepare()
        try await inbox.register(DeviceToken(deviceToken)) { request in
            try await server.register(request)
        }
        let first = try #require(requests.withLock { $0.last })
        #expect(
            first.hasSuffix("}000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"))
        #expect(first.contains(try #require(store.stored).primary.key.publicKey.jwk))
        #expect(first.contains(#""signers":["\#(try TestKeys.sender().publicKey.kid)"]"#))
    }

    @Test("The app reads a member of its notification")
    func appReads() throws {
        let device = try TestKeys.device()
        let sealer = Sealer(.signed(by: try TestKeys.sender()))
        let push = try sealer.seal(
            json: #"{"aps":{"alert":"a"},"order":{"id":7}}"#, for: device.publicKey)
        let inbox = PushInbox(
            PushConfiguration(
                keys: InMemoryKeyStore([device]),
                senderPolicy: .signed(by: try TestKeys.sender().publicKey)))
        let notification = try DeliveredNotification(json: push.payload)
        let reader = try inbox.read(notification)
        let order = try reader.custom("order", "id", as: Int.self)
        #expect(order == 7)
    }

    @Test(
        "The extension has at most ten lines, and the two setup commands run the demo and the tests"
    )
    func firstScreenIsShort() throws {
        let code = try #require(readme.blocks("swift").dropFirst().first)
        #expect((3...10).contains(code.split(separator: "\n").count))
        let start = "apt-get update && apt-get install -y libsodium-dev && "
        #expect(readme.blocks("sh") == [start + "swift run pushcrypt demo", start + "swift test"])
    }

    @Test("The picture has a dark theme and loads nothing")
    func pictureHasADarkTheme() throws {
        let picture = try Document("Docs/dataflow.svg").text
        #expect(picture.contains("@media (prefers-color-scheme: dark)"))
        #expect(
            picture.matches(of: /https?:|url\((?!#)|@import|href/).count == 1,
            "only the namespace is an address")
    }
}

extension PushConfiguration {
    /// The settings of the test, because its process has no Info.plist.
    fileprivate static var infoPlist: PushConfiguration { ReadmeTests.settings.withLock { $0 } }
}

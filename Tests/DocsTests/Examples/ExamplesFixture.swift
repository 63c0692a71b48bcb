// Only stand-ins of notifications can be created by a test.
#if !canImport(Darwin)
@testable import DocsExamples
@testable import PushCryptReceiver
import Foundation
import PushCryptApple
import PushCryptSystem
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

    /// The directory that the app and its extensions share.
    var directory: String { scratch.path }

    /// The device's identifier for the app's vendor; `nil` on a device that wasn't unlocked.
    let vendor = LockedValue<UUID?>(UUID())

    let backgroundTasks = BackgroundTasks()

    init() throws {
        let ring = try Keyring<RecipientPrivateKey>(createdAt: Date())
        store = TestKeyringStore(DeviceKeyring(ring))
        device = ring.primary.key
        server = try TestKeys.sender()
        scratch = try Scratch()
        if let error = PushInbox(configuration).prepare() { throw error }
    }

    /// The example's settings, with the test's device.
    var configuration: PushConfiguration {
        var configuration = DocsExamples.pushConfiguration()
        configuration.accounts = [
            PushAccount("", keys: store, senderPolicy: .signed(by: [server.publicKey]))
        ]
        configuration.problems = []
        configuration.downloader = URLSessionDownloader(hosts: ["127.0.0.1"], allowsHTTP: true)
        configuration.secrets = secrets
        configuration.directory = directory
        configuration.registration.deviceID = { [vendor] in vendor.withLock { $0?.uuidString } }
        configuration.registration.directory = { [directory] _ in directory }
        configuration.inBackground = { [backgroundTasks] work in await backgroundTasks.run(work) }
        return configuration
    }

    /// The outcomes in the delivery log, the oldest first.
    func outcomes() throws -> [String] {
        try PushInbox(configuration).store?.deliveryLog.entries().map(\.outcome.rawValue) ?? []
    }

    /// Returns a payload with a sealed picture, and a server that has the file.
    func picture() throws -> (server: LoopbackServer, json: String) {
        let (file, sealed) = (
            scratch.write(Array("GIF89a and the rest".utf8), to: "cat.gif"), scratch.file("sealed")
        )
        let server = LoopbackServer { connection in
            connection.answer(
                FileManager.default.contents(atPath: sealed).map { [UInt8]($0) } ?? [])
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
        _ json: String, _ type: PushType = .alert, exposedKeys: Set<ExposedKey> = [],
        by key: SigningKey? = nil
    ) throws -> [AnyHashable: Any] {
        let push = try Sealer(.signed(by: key ?? server), exposedKeys: exposedKeys).seal(
            json: json.utf8, for: device.publicKey, headers: APNsHeaders(type))
        return try SystemDelivery.userInfo(push.payload)
    }

    /// Returns a list of accepted keys, signed by the key that the app pins.
    func signerList(_ keys: [SigningKey]) throws -> SignerList {
        let now = Date()
        return try SignerList(
            keys: keys.map(\.publicKey), issued: now, expiration: now + 3600,
            signedBy: Signer(server))
    }

    /// Returns the notification that the system shows after the extension has run.
    func delivered(
        _ userInfo: [AnyHashable: Any], identifier: String = "1",
        by service: SealedNotificationService? = nil
    ) throws -> UNNotification {
        let service = service ?? ExampleService(configuration)
        return try SystemDelivery.notification(
            SystemDelivery.request(userInfo, identifier: identifier)
        ) {
            service.didReceive($0, withContentHandler: $1)
        }
    }
}

/// The example, with keys that Linux can have, and settings that no Info.plist has in a test.
final class ExampleService: DocsExamples.NotificationService {
    private let own: PushConfiguration

    init(_ configuration: PushConfiguration) {
        own = configuration
    }

    override var configuration: PushConfiguration { own }
}

/// The system's tasks for work in the background.
final class BackgroundTasks: Sendable {
    private struct State: Sendable {
        var begun = 0
        var running: [Int: Task<Void, Never>] = [:]
    }

    private let state = LockedValue(State())

    var begun: Int { state.withLock { $0.begun } }
    var running: Int { state.withLock { $0.running.count } }

    func run(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task { await work() }
        let number = state.withLock { state in
            state.begun += 1
            state.running[state.begun] = task
            return state.begun
        }
        await task.value
        state.withLock { $0.running[number] = nil }
    }

    /// Ends the system's time.
    func expire() {
        for task in state.withLock({ Array($0.running.values) }) { task.cancel() }
    }
}
#endif

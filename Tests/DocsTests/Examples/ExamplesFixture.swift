// Only stand-ins can be made by a test: the real objects come from the system.
#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// A device with its keys, the server whose key is in the example, and what the system hands over.
final class ExamplesFixture: Sendable {
    let store: TestKeyringStore
    let device: RecipientPrivateKey
    let folder: String

    init() throws {
        let ring = try Keyring<RecipientPrivateKey>(createdAt: Date())
        store = TestKeyringStore(ring)
        device = ring.primary.key
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pushcrypt-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var setup: PushSetup { PushSetup(keys: store, sharedFolder: folder) }

    static let locked = PushCryptError(.deviceLocked, "The device is locked.")

    /// A payload as the system hands it over, sealed by the server that the example names.
    func sealed(
        _ json: String, _ type: PushType = .alert, exposedKeys: Set<ExposedKey> = []
    ) throws -> [AnyHashable: Any] {
        let push = try Sealer(.signed(by: TestKeys.sender(.acme)), exposedKeys: exposedKeys).seal(
            json: json.utf8, for: device.publicKey, headers: APNsHeaders(type))
        return try clear(push.data)
    }

    func clear(_ json: Data) throws -> [AnyHashable: Any] {
        try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    /// A request for the extension.
    func request(_ userInfo: [AnyHashable: Any], identifier: String = "1") -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.body = "(Encrypted)"
        content.userInfo = userInfo
        return UNNotificationRequest(identifier: identifier, content: content, trigger: UNPushNotificationTrigger())
    }

    /// What the system shows after the extension has run.
    func delivered(
        _ request: UNNotificationRequest, _ service: SealedNotificationService
    ) throws -> UNNotification {
        let shown = LockedValue<Shown?>(nil)
        let done = DispatchSemaphore(value: 0)
        service.didReceive(request) { content in
            let content = Shown(content: content)
            shown.withLock { $0 = content }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 10) == .success)
        let content = try #require(shown.withLock { $0 }).content
        return UNNotification(
            date: Date(),
            request: UNNotificationRequest(identifier: request.identifier, content: content, trigger: request.trigger))
    }

    func delivered(_ userInfo: [AnyHashable: Any], identifier: String = "1") throws -> UNNotification {
        try delivered(request(userInfo, identifier: identifier), ExampleService(setup))
    }

    private struct Shown: @unchecked Sendable {
        let content: UNNotificationContent
    }
}

/// The example, with keys that Linux can have.
final class ExampleService: DocsExamples.NotificationService {
    private let setup: PushSetup

    init(_ setup: PushSetup) {
        self.setup = setup
    }

    override var keys: any KeyStore { setup.keys }
    override var sharedFolder: String? { setup.sharedFolder }
}

/// Waits for what another thread is about to do.
func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<2000 where !condition() { usleep(5000) }
    return condition()
}

/// The same where the main actor has something to do meanwhile.
@MainActor func eventuallyOnMain(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<2000 where !condition() { try? await Task.sleep(nanoseconds: 5_000_000) }
    return condition()
}
#endif

import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import UserNotifications

/// A service that a test configures.
class TestService: SealedNotificationService {
    struct Setting: Sendable {
        var keys: any KeyStore
        var senderPolicy: SenderPolicy = .anyone
        var secrets: any DeviceSecretsStore = InMemorySecretsStore()
        var carrier = Carrier.apns
        var directory: String?
        var fallback = FallbackText.standard
        var deadline: TimeInterval = 30
        var unsealedPayloads = UnsealedPayloads.reject
        var keepsUserInfoSealed = false
        var hasFilteringEntitlement = false
        var countsBadge = false
        var shows = true
        /// By default, the one of an Info.plist without hosts.
        var downloader: (any AttachmentDownloader)? = InfoPlist([:]).attachmentDownloader

        /// The settings of the app and of its extension.
        var configuration: PushConfiguration {
            var configuration = PushConfiguration(keys: keys, senderPolicy: senderPolicy)
            configuration.setSystemDefaults()
            configuration.secrets = secrets
            configuration.carrier = carrier
            configuration.directory = directory
            configuration.fallback = fallback
            configuration.deadline = deadline
            configuration.unsealedPayloads = unsealedPayloads
            configuration.keepsUserInfoSealed = keepsUserInfoSealed
            configuration.hasFilteringEntitlement = hasFilteringEntitlement
            configuration.countsBadge = countsBadge
            configuration.mostPrivateDisplay = .full
            configuration.downloader = downloader
            return configuration
        }

        /// The app's inbox.
        var inbox: PushInbox { PushInbox(configuration) }
    }

    let setting: Setting
    let reads = LockedValue(0)
    let events = LockedValue<[String]>([])

    init(_ setting: Setting) {
        self.setting = setting
    }

    override var configuration: PushConfiguration {
        reads.withLock { $0 += 1 }
        return setting.configuration
    }

    override func shouldShow(_ push: OpenedPush) async throws -> Bool { setting.shows }

    override func log(_ event: PushEvent) {
        events.withLock { $0.append(event.failure?.code.rawValue ?? "shown") }
    }
}

/// A content handler that records its calls.
final class ContentRecorder: @unchecked Sendable {
    private let lock = NSLock()
    private let called = DispatchSemaphore(value: 0)
    private var recorded: [UNNotificationContent] = []

    var handler: (UNNotificationContent) -> Void {
        { content in
            self.lock.withLock { self.recorded.append(content) }
            self.called.signal()
        }
    }

    var contents: [UNNotificationContent] { lock.withLock { recorded } }
    var bodies: [String] { contents.map(\.body) }

    func wait() -> UNNotificationContent? {
        called.wait(timeout: .now() + 600) == .success ? contents.last : nil
    }
}

/// Sealed requests for one device.
struct Requests {
    let device: RecipientPrivateKey
    let server: SigningKey

    init(_ device: RecipientPrivateKey? = nil) throws {
        self.device = try device ?? TestKeys.device()
        server = try TestKeys.sender()
    }

    func sealed(_ body: String) throws -> UNNotificationRequest {
        let push = try Sealer(.signed(by: server)).seal(
            json: #"{"aps":{"alert":{"title":"title","body":"\#(body)"},"badge":3},"k":1}"#.utf8,
            for: device.publicKey)
        return try request(push.data)
    }

    func request(
        _ payload: Data, body: String = "(Encrypted)", identifier: String = "1"
    ) throws -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.body = body
        content.sound = .default
        content.userInfo = try JSONSerialization.jsonObject(with: payload) as? [String: Any] ?? [:]
        #if canImport(Darwin)
        return UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
        #else
        return UNNotificationRequest(
            identifier: identifier, content: content, trigger: UNPushNotificationTrigger())
        #endif
    }
}

/// Waits for another thread.
func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<12_000 where !condition() { usleep(5000) }
    return condition()
}

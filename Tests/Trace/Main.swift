import Dispatch
import Foundation
import PushCryptApple
import PushCryptSender
import PushCryptTesting
import UserNotifications

/// An app's extension.
///
/// Keys and secrets are in memory, because Linux has no keychain.
final class NotificationService: SealedNotificationService {
    nonisolated(unsafe) static var directory = ""
    static let storedSecrets = InMemorySecretsStore()
    static let device = Result { try TestKeys.device() }
    static let server = Result { try TestKeys.sender() }

    /// Signals that the service has written its log, which is its last step for a notification.
    let isDone = DispatchSemaphore(value: 0)

    override var configuration: PushConfiguration { Self.settings }

    /// The settings of the app and of its extension.
    static var settings: PushConfiguration {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore((try? [device.get()]) ?? []),
            senderPolicy: (try? .signed(by: server.get().publicKey)) ?? .anyone)
        configuration.secrets = storedSecrets
        configuration.mostPrivateDisplay = .full
        configuration.directory = directory
        configuration.deadline = 30
        configuration.countsBadge = true
        configuration.keepsUserInfoSealed = false
        return configuration
    }

    override func log(_ event: PushEvent) { isDone.signal() }
}

/// Prepares an app, seals two pushes, and handles some of them, each with a service of its own.
///
/// The arguments are an empty directory and the number of pushes to handle. It prints the bodies that the system gets.
@main enum Main {
    static func main() throws {
        NotificationService.directory = CommandLine.arguments[1]
        let count = Int(CommandLine.arguments[2]) ?? 0
        try prepare()
        let requests = try (1...2).map { try request("message \($0)") }
        for request in requests.prefix(count) { handle(request) }
    }

    private static func prepare() throws {
        if let problem = PushInbox(NotificationService.settings).prepare() { throw problem }
    }

    private static func request(_ body: String) throws -> UNNotificationRequest {
        let json = #"{"aps":{"alert":{"title":"Anna","body":"\#(body)"},"sound":"default"},"chat":7}"#
        let push = try Sealer(.signed(by: NotificationService.server.get()))
            .seal(json: json.utf8, for: NotificationService.device.get().publicKey)
        let content = UNMutableNotificationContent()
        content.body = "(Encrypted)"
        content.userInfo = try JSONSerialization.jsonObject(with: push.data) as? [String: Any] ?? [:]
        return UNNotificationRequest(identifier: body, content: content, trigger: nil)
    }

    private static func handle(_ request: UNNotificationRequest) {
        let service = NotificationService()
        let isDisplayed = DispatchSemaphore(value: 0)
        service.didReceive(request) { content in
            print(content.body)
            isDisplayed.signal()
        }
        isDisplayed.wait()
        service.isDone.wait()
    }
}

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

/// Prepares an app, and handles pushes, each with a service of its own, or registers the device
/// with another token.
///
/// The arguments are an empty directory, `message` or `registration`, and the number of pushes or
/// registrations. It prints the bodies that the system gets, or the registrations that the server
/// gets.
@main enum Main {
    static func main() throws {
        NotificationService.directory = CommandLine.arguments[1]
        let count = Int(CommandLine.arguments[3]) ?? 0
        try prepare()
        if CommandLine.arguments[2] == "registration" {
            return try wait { try await register(count) }
        }
        let requests = try (1...2).map { try request("message \($0)") }
        for request in requests.prefix(count) { handle(request) }
    }

    private static func prepare() throws {
        if let problem = PushInbox(NotificationService.settings).prepare() { throw problem }
    }

    /// Runs async work.
    ///
    /// Valgrind can't run a process whose main thread only waits for signals, as an async `main`
    /// does.
    private static func wait(_ work: @escaping @Sendable () async throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: Result<Void, any Error> = .success(())
        Task.detached {
            do {
                try await work()
            } catch {
                result = .failure(error)
            }
            done.signal()
        }
        done.wait()
        try result.get()
    }

    /// Registers once, which isn't counted, and again with other tokens.
    private static func register(_ count: Int) async throws {
        let directory = NotificationService.directory
        var configuration = PushConfiguration(
            keys: KeyringFileStore(path: directory + "/keys"), senderPolicy: .anyone)
        configuration.directory = directory
        configuration.secrets = NotificationService.storedSecrets
        configuration.registration = RegistrationSettings(deviceID: "device", directory: directory)
        let inbox = PushInbox(configuration)
        for number in 0...count {
            try await inbox.register(DeviceToken("token \(number)")) { _ in
                if number > 0 { print("registration \(number)") }
                return .accepted(date: Date())
            }
        }
    }

    private static func request(_ body: String) throws -> UNNotificationRequest {
        let json =
            #"{"aps":{"alert":{"title":"Anna","body":"\#(body)"},"sound":"default"},"chat":7}"#
        let push = try Sealer(.signed(by: NotificationService.server.get()))
            .seal(json: json.utf8, for: NotificationService.device.get().publicKey)
        let content = UNMutableNotificationContent()
        content.body = "(Encrypted)"
        content.userInfo =
            try JSONSerialization.jsonObject(with: push.data) as? [String: Any] ?? [:]
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

// For UIKit: write @main before the class. For SwiftUI: SwiftUIApp.swift.
import Foundation
import PushCryptApple
import UIKit

class AppDelegate: UIResponder, UIApplicationDelegate {
    private nonisolated static let inbox = PushInbox(pushConfiguration())
    nonisolated var inbox: PushInbox { Self.inbox }
    nonisolated var server: AppServer { .live }  // Or `.logging`, until you have a server.
    private var deviceToken: Data?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        inbox.prepare()
        beginNotifications()
        application.registerForRemoteNotifications()
        // Apps with scenes, such as SwiftUI apps, don't get applicationDidBecomeActive(_:).
        let app = UIApplication.self
        for name in [app.didBecomeActiveNotification, app.protectedDataDidBecomeAvailableNotification] {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                Task { [inbox = self?.inbox] in await inbox?.catchUp() }
            }
        }
        return true
    }

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
        deviceToken = token
        Task { await register() }
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {
        report(error)
    }

    /// Registers the device's keys; after a failure, the next call or catchUp() continues.
    @discardableResult private func register() async -> UIBackgroundFetchResult {
        guard let deviceToken else { return .noData }  // A push may launch the app before it has its token.
        do {
            try await inbox.register(deviceToken, with: server.register)
            return .newData
        } catch {
            report(error)
            return .failed
        }
    }

    /// Opens a background push, for which the target needs the background mode "Remote notifications".
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        Task {
            do {
                switch try await inbox.open(userInfo) {
                case .message(let reader):
                    received(reader)
                    completionHandler(.newData)
                case .asksToRegister: completionHandler(await register())
                case .notification: completionHandler(.noData)
                }
            } catch {
                report(error)
                completionHandler(.failed)
            }
        }
    }

    // Your part:
    /// Handles a message that comes while the app runs, once.
    func received(_ reader: PayloadReader) {}
    /// Handles a tap, for example with `try reader.customIfPresent("link", as: URL.self)`.
    func tapped(_ reader: PayloadReader) {}
    /// Sends a reply or does another action, while the system doesn't suspend the app.
    func act(_ response: UserResponse) async {}
    /// Keeps a reply that isn't sent; its reader is `nil` if the message can't be read.
    func keepDraft(of response: UserResponse) {}
    nonisolated func report(_ error: any Error) { inbox.report(error) }
}

// For UIKit: write @main before the class. For SwiftUI: SwiftUIApp.swift.
import Foundation
import PushCryptApple
import UIKit
import UserNotifications

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
        // The delegate before the launch ends, or the tap that launched the app is lost.
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.setNotificationCategories(pushCategories())
        center.requestAuthorization(options: [.alert, .badge, .sound]) { @Sendable _, _ in }
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
    ) {
        deviceToken = token
        Task {
            do { try await register() } catch { inbox.report(error) }
        }
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        inbox.report(error)
    }

    /// Registers the device's keys; after a failure, the next call or activation continues.
    private func register() async throws {
        guard let deviceToken else { return }
        try await inbox.register(
            DeviceToken(deviceToken), account: server.account, with: server.register)
    }

    /// Opens a background push, for which the target needs the background mode "Remote
    /// notifications".
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        Task {
            do {
                switch try await inbox.open(userInfo) {
                case .message(let reader): await received(reader)
                case .asksToRegister where deviceToken != nil: try await register()
                // For the extension, or before the app has its token.
                default: return completionHandler(.noData)
                }
                completionHandler(.newData)
            } catch {
                inbox.report(error)
                completionHandler(.failed)
            }
        }
    }

    // Your part:
    /// Handles a message that comes while the app runs, once; the system may suspend the app when
    /// it returns.
    func received(_ reader: PayloadReader) async {}
    /// Handles a tap, for example with `try reader.customIfPresent("link", as: URL.self)`.
    func tapped(_ reader: PayloadReader) {}
    /// Sends a reply or does another action, while the system doesn't suspend the app.
    func act(_ response: UserResponse) async {}
    /// Keeps a reply that isn't sent; its reader is `nil` if the message can't be read.
    func keepDraft(of response: UserResponse) {}
}

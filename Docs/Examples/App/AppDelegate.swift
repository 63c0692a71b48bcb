// A UIKit app writes @main before the class. A SwiftUI app names it in its App structure:
// @UIApplicationDelegateAdaptor(AppDelegate.self) private var appDelegate
import Foundation
import PushCryptApple
import UIKit
import UserNotifications

class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    private var deviceToken: Data?

    // MARK: Start

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        // Before the launch ends: otherwise the tap that has started the app is lost.
        center.delegate = self
        // The system answers on a thread of its own; @Sendable keeps the closure from claiming the main one.
        // With Apple's entitlement for critical alerts, .criticalAlert as well.
        center.requestAuthorization(options: [.alert, .badge, .sound]) { @Sendable _, error in
            if let error { Self.report(error) }
        }
        // Without permission, too: background pushes need none.
        application.registerForRemoteNotifications()
        // An app with scenes, which a SwiftUI app is, gets no applicationDidBecomeActive(_:), but this.
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
        ) { @Sendable [weak self] _ in
            self?.catchUp()
        }
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        self.deviceToken = deviceToken
        registerDevice()
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {
        Self.report(error)
    }

    /// The device was unlocked: what failed with `device-locked` works now.
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        registerDevice()
        catchUp()
    }

    // MARK: The device's key

    /// Makes, registers and rotates the device's keys; asks the server only where it has to know something new.
    ///
    /// Whatever fails, the next call goes on from there, so an error needs no repetition here. The work is done off the main
    /// thread, where `register` takes it.
    private func registerDevice() {
        guard let deviceToken else { return }
        let server = server
        do {
            let registrar = try registrar()
            inBackgroundTask {
                do {
                    try await registrar.register(deviceToken: deviceToken) { try await server.register($0, $1) }
                } catch {
                    Self.report(error)
                }
            }
        } catch {
            Self.report(error)
        }
    }

    /// Gives work the time to end when the user leaves the app: a process that is suspended while it has a file of the
    /// shared container locked is ended by the system.
    private func inBackgroundTask(_ work: @escaping @Sendable () async -> Void) {
        let task = BackgroundTask()
        let running = Task {
            await work()
            task.end()
        }
        task.begin { running.cancel() }
    }

    /// A background task that is ended once: by the work or, where that takes too long, by the system, which ends an app
    /// that has not said so by then.
    private class BackgroundTask {
        private var identifier = UIBackgroundTaskIdentifier.invalid

        func begin(cancelling cancel: @escaping @MainActor @Sendable () -> Void) {
            identifier = UIApplication.shared.beginBackgroundTask { [self] in
                cancel()
                end()
            }
        }

        func end() {
            guard identifier != .invalid else { return }
            UIApplication.shared.endBackgroundTask(identifier)
            identifier = .invalid
        }
    }

    // MARK: Notifications

    /// A notification has come while the app is in the foreground; the extension has already been at work.
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        note([notification])
        do {
            let reader = try PayloadReader(notification, opener: setup.opener, unsealed: .refuse)
            Task { @MainActor in received(reader) }
        } catch {
            Self.report(error)
        }
        // Passive is what catchUp() has put in the place of a fallback; the user was alerted before.
        let isPassive = notification.request.content.interruptionLevel == .passive
        completionHandler(isPassive ? [.list] : [.banner, .list, .sound, .badge])
    }

    /// The user has tapped a notification.
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        note([response.notification])
        do {
            let reader = try PayloadReader(response, opener: setup.opener, unsealed: .refuse)
            if response.actionIdentifier == UNNotificationDefaultActionIdentifier {
                Task { @MainActor in tapped(reader) }
            }
        } catch {
            // A push that was not sealed, or whose sender is unknown, leads nowhere.
            Self.report(error)
        }
        completionHandler()
    }

    /// A background push has come; the target has the background mode "Remote notifications".
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        do {
            let push = try setup.backgroundOpener.open(userInfo: userInfo)
            // Nobody can say whether it has come before, so nothing is done.
            if let failure = push.replayGuardFailure { throw failure }
            received(try PayloadReader(push))
            completionHandler(.newData)
        } catch {
            Self.report(error)
            completionHandler(.failed)
        }
    }

    // MARK: What the extension could not do

    /// Shows the text of what came before the first unlock, and notes what was shown without the extension.
    nonisolated func catchUp() {
        Task { @MainActor in
            inBackgroundTask { [self] in
                await withCheckedContinuation { done in
                    openAgain { done.resume() }
                }
            }
        }
    }

    private nonisolated func openAgain(_ done: @escaping @Sendable () -> Void) {
        let setup = setup
        UNUserNotificationCenter.current().getDeliveredNotifications { @Sendable [weak self] notifications in
            defer { done() }
            self?.note(notifications)
            // A request with the identifier of a notification takes its place.
            for request in setup.presenter.reopened(notifications) {
                UNUserNotificationCenter.current().add(request) { @Sendable error in
                    if let error { Self.report(error) }
                }
            }
            #if DEBUG
            self?.printDiagnoses()
            #endif
        }
    }

    private nonisolated func note(_ notifications: [UNNotification]) {
        do {
            try setup.outcomes?.note(notifications)
        } catch {
            Self.report(error)
        }
    }

    #if DEBUG
    /// Why there is `(Encrypted)` on the lock screen, and what to do about it.
    private nonisolated func printDiagnoses() {
        guard let entries = try? setup.outcomes?.entries() else { return }
        for diagnosis in DeliverySummary(entries).diagnoses {
            print("PushCrypt: \(diagnosis.count) × \(diagnosis.finding). \(diagnosis.advice)")
        }
    }
    #endif

    // MARK: What is yours

    /// What a push brings while the app runs.
    func received(_ reader: PayloadReader) {}

    /// Where a tap leads: `try reader.customIfPresent("link", as: URL.self)`.
    func tapped(_ reader: PayloadReader) {}

    /// Errors have neither content nor keys in them; log them as you do others.
    nonisolated class func report(_ error: any Error) {
        print("Push: \(error)")
    }

    // Tests override these. Before there is a server: `.printing`.
    nonisolated var setup: PushSetup { PushSetup() }
    nonisolated var server: AppServer { .live }

    func registrar() throws -> DeviceRegistrar {
        try DeviceRegistrar(store: setup.keys, vendor: UIDevice.current.identifierForVendor)
    }
}

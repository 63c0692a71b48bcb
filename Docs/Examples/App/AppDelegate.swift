// A UIKit app writes @main before the class. A SwiftUI app names it in its App structure:
// @UIApplicationDelegateAdaptor(AppDelegate.self) private var appDelegate
import Foundation
import PushCryptApple
import UIKit
import UserNotifications

class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    private var deviceToken: Data?
    /// The `userInfo` of a push that asks the app to register, or to prove its registration.
    private var askingPush: [AnyHashable: Any]?
    private var receivedMessages: Set<MessageID> = []

    // MARK: Start

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        prepareState()
        let center = UNUserNotificationCenter.current()
        // Set it before the launch ends, or the tap that launched the app is lost.
        center.delegate = self
        center.setNotificationCategories(Self.categories)
        // @Sendable, because the system calls back on another thread. Add .criticalAlert if Apple has granted it.
        center.requestAuthorization(options: [.alert, .badge, .sound]) { @Sendable _, error in
            if let error { Self.report(error) }
        }
        // Background pushes don't need the user's permission.
        application.registerForRemoteNotifications()
        // Apps with scenes, such as SwiftUI apps, don't get applicationDidBecomeActive(_:).
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

    /// Repeats what failed with `device-locked`, because the device is unlocked now.
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        prepareState()
        registerDevice()
        catchUp()
    }

    /// Prepares the state that the app shares with its extensions, before anything else uses it.
    ///
    /// An app with several accounts names all of them, and calls it again before it registers a new one.
    private func prepareState() {
        guard let state = setup.state else { return pushLog("This app isn't in the app group of its Info.plist.") }
        do {
            try state.prepare(display: setup.display)
        } catch {
            Self.report(error)
        }
    }

    /// The actions of notifications with the category `MESSAGE`, which your server seals.
    private static var categories: Set<UNNotificationCategory> {
        let reply = UNTextInputNotificationAction(
            identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send",
            textInputPlaceholder: "Message")
        let read = UNNotificationAction(identifier: "READ", title: "Mark as Read", options: [])
        return [
            UNNotificationCategory(identifier: "MESSAGE", actions: [reply, read], intentIdentifiers: [], options: [])
        ]
    }

    // MARK: The device's key

    /// Creates, registers and rotates the device's keys, off the main thread.
    ///
    /// After a failure the next call continues, so nothing is repeated here.
    private func registerDevice(done: @escaping (UIBackgroundFetchResult) -> Void = { _ in }) {
        // A push may launch the app, and come before the token.
        guard let deviceToken else { return done(.noData) }
        inBackgroundTask { @MainActor [self] in
            do {
                try await register(deviceToken)
                done(.newData)
            } catch {
                Self.report(error)
                done(.failed)
            }
        }
    }

    private func register(_ deviceToken: Data) async throws {
        let registrar = try registrar()
        let send: DeviceRegistrar.SendRegistration = { [server] in try await server.register($0) }
        if let askingPush {
            _ = try await registrar.register(ifAskedBy: askingPush, deviceToken: deviceToken, with: send)
            self.askingPush = nil
        }
        try await registrar.register(deviceToken: deviceToken, with: send)
    }

    /// Runs work in a background task, because the system ends a suspended app that locks a file of a shared container.
    private func inBackgroundTask(_ work: @escaping @Sendable () async -> Void) {
        let task = BackgroundTask()
        let running = Task {
            await work()
            task.end()
        }
        task.begin { running.cancel() }
    }

    // MARK: Notifications

    // Current SDKs declare both completion handlers `@Sendable`. Without it, these methods compile with older ones, too.

    /// Reads a notification that arrives in the foreground, after the extension has run.
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        record([notification])
        do {
            let reader = try PayloadReader(notification, opener: setup.opener, unsealed: .reject)
            Task { @MainActor in receivedOnce(reader) }
        } catch {
            Self.report(error)
        }
        // catchUp() replaces fallbacks by passive notifications, because the user was alerted before.
        let isPassive = notification.request.content.interruptionLevel == .passive
        completionHandler(isPassive ? [.list] : [.banner, .list, .sound, .badge])
    }

    /// Handles a message of a displayed notification, but not the copies that a sender or an attacker sends again.
    private func receivedOnce(_ reader: PayloadReader) {
        guard DisplayedState.trusted.contains(reader.state), let id = reader.push?.messageID,
            receivedMessages.insert(id).inserted
        else { return }
        received(reader)
    }

    /// Reads a notification that the user taps, answers or acts on.
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        record([response.notification])
        let response = UserResponse(response, opener: setup.opener, unsealed: .reject)
        let finish = CompletionHandler(call: completionHandler)
        Task { @MainActor in
            handle(response)
            // After the background task has begun: from now on, the system may suspend the app.
            finish.call()
        }
    }

    /// A completion handler of the system, which any thread may call.
    nonisolated private struct CompletionHandler: @unchecked Sendable {
        let call: () -> Void
    }

    /// Acts on a response, if the user has seen the message's own text.
    ///
    /// Anyone who can send pushes to the app can display a text of their own over a recorded message. A reply to that
    /// text must not go to the message's author, and must not be lost either.
    private func handle(_ response: UserResponse) {
        // The user has removed the notification.
        guard response.action != UNNotificationDismissActionIdentifier else { return }
        if let failure = response.failure { Self.report(failure) }
        guard response.isAccepted() || response.isTap, let reader = response.reader else {
            return refused(response)
        }
        switch response.action {
        case UNNotificationDefaultActionIdentifier: tapped(reader)
        case "REPLY": inBackgroundTask { await self.replied(response.text ?? "", to: reader) }
        case "READ": inBackgroundTask { await self.markedAsRead(reader) }
        default: break
        }
    }

    /// Keeps the text of a refused reply, and opens the conversation, so that the user sees its messages first.
    private func refused(_ response: UserResponse) {
        pushLog("The action \(response.action) was refused: the displayed text is \(response.state).")
        if let text = response.text { keepDraft(text, to: response.reader) }
        // Don't follow a link of a push that isn't sealed, or of an unknown sender.
        if let reader = response.reader { tapped(reader) }
    }

    /// Opens a background push, for which the target needs the background mode "Remote notifications".
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        // Your server asks all apps to register after it has revoked a leaked key.
        guard !DeviceRegistrar.isRegistrationRequest(userInfo, from: setup.carrier) else {
            askingPush = userInfo
            return registerDevice(done: completionHandler)
        }
        do {
            let push = try setup.backgroundOpener.open(userInfo: userInfo, as: [.background, .challenge])
            // Your server wants a proof that the key and the token belong to this device.
            guard push.kind != .challenge else {
                askingPush = userInfo
                return registerDevice(done: completionHandler)
            }
            // Without the guard, the push may be a repetition.
            if let failure = push.replayGuardFailure { throw failure }
            received(PayloadReader(push))
            completionHandler(.newData)
        } catch let error as PushCryptError where error.code == .wrongKind {
            // An alert with content-available, which the extension opens.
            completionHandler(.noData)
        } catch {
            Self.report(error)
            completionHandler(.failed)
        }
    }

    // MARK: Notifications that the extension couldn't open

    /// Opens notifications that came before the first unlock, and records those that the extension didn't handle.
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
            self?.record(notifications)
            // A request replaces the notification with the same identifier.
            for request in setup.notificationOpener.reopened(notifications) {
                UNUserNotificationCenter.current().add(request) { @Sendable error in
                    if let error { Self.report(error) }
                }
            }
            self?.logDiagnoses()
        }
    }

    private nonisolated func record(_ notifications: [UNNotification]) {
        do {
            try setup.deliveryLog?.recordDelivered(notifications, carrier: setup.carrier)
        } catch {
            Self.report(error)
        }
    }

    /// Logs why notifications stay `(Encrypted)`, and what to do.
    private nonisolated func logDiagnoses() {
        for diagnosis in (try? setup.deliveryLog?.summary())?.diagnoses ?? [] {
            pushLog("\(diagnosis.count) × \(diagnosis.finding). \(diagnosis.advice)")
        }
    }

    // MARK: Your part

    /// Handles a push that arrives while the app runs.
    func received(_ reader: PayloadReader) {}

    /// Handles a tap, for example with `try reader.customIfPresent("link", as: URL.self)`.
    func tapped(_ reader: PayloadReader) {}

    /// Keeps a reply that wasn't sent; the reader is `nil` if the message can't be read.
    func keepDraft(_ text: String, to reader: PayloadReader?) {}

    /// Sends the user's answer, in a background task.
    func replied(_ text: String, to reader: PayloadReader) async {}

    /// Handles the action, in a background task.
    func markedAsRead(_ reader: PayloadReader) async {}

    /// Logs an error, which contains neither content nor keys.
    nonisolated class func report(_ error: any Error) {
        pushLog("\(error)")
    }

    // Tests override these. Use `.logging` until you have a server.
    nonisolated var setup: PushSetup { PushSetup() }
    nonisolated var server: AppServer { .live }

    func registrar() throws -> DeviceRegistrar {
        try DeviceRegistrar(
            store: setup.keys, vendor: UIDevice.current.identifierForVendor, account: setup.account,
            senderPolicy: setup.senderPolicy, challenges: setup.state?.challenges, carrier: setup.carrier)
    }
}

// Testing and a module named UIKit together need an overlay that only Apple's systems have. So only
// this file imports UIKit.
#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import UIKit
import UserNotifications
import UserNotificationsUI

/// A phone with the example's app, as the system uses it.
@MainActor final class ExamplePhone {
    let app: ExampleApp
    private let fixture: ExamplesFixture
    private let center = TestNotificationCenter.current
    private let system = UIApplication.shared

    init(_ fixture: ExamplesFixture) {
        app = ExampleApp(fixture)
        self.fixture = fixture
        center.delivered = []
        center.categories = []
        center.delegate = nil
    }

    // A misspelled method isn't called through the protocol.
    private var delegate: any UIApplicationDelegate { app }

    /// The number of background tasks that had begun when the app called the last completion
    /// handler.
    private(set) var begunAtCompletion = 0

    var registrations: Int { system.registrations }
    var backgroundTasks: BackgroundTasks { fixture.backgroundTasks }
    var asksTheApp: Bool { center.delegate === app }
    var delivered: [UNNotification] {
        get { center.delivered }
        set { center.delivered = newValue }
    }

    var requested: [String] {
        let names: [(UNAuthorizationOptions, String)] = [
            (.badge, "badge"), (.sound, "sound"), (.alert, "alert"),
        ]
        return names.filter { center.requested?.contains($0.0) == true }.map(\.1)
    }

    func launch() -> Bool {
        delegate.application(system, didFinishLaunchingWithOptions: nil)
    }

    func register(_ token: Data) {
        delegate.application(system, didRegisterForRemoteNotificationsWithDeviceToken: token)
    }

    func unlock() {
        NotificationCenter.default.post(
            name: UIApplication.protectedDataDidBecomeAvailableNotification, object: nil)
    }

    func timeIsUp() {
        backgroundTasks.expire()
    }

    func activate() {
        NotificationCenter.default.post(
            name: UIApplication.didBecomeActiveNotification, object: nil)
    }

    /// Returns a push as the system displays it without the extension, because it lacks
    /// `mutable-content`.
    static func displayed(
        _ userInfo: [AnyHashable: Any], title: String, body: String, category: String = "MESSAGE"
    ) -> UNNotification {
        let content = UNMutableNotificationContent()
        content.title = title
        content.body = body
        content.categoryIdentifier = category
        content.userInfo = userInfo
        return UNNotification(
            date: Date(),
            request: UNNotificationRequest(
                identifier: UUID().uuidString, content: content,
                trigger: UNPushNotificationTrigger()))
    }

    func present(_ notification: UNNotification) -> [String] {
        var presented: UNNotificationPresentationOptions?
        center.delegate?.userNotificationCenter(center, willPresent: notification) {
            presented = $0
        }
        let names: [(UNNotificationPresentationOptions, String)] = [
            (.badge, "badge"), (.sound, "sound"), (.list, "list"), (.banner, "banner"),
        ]
        return names.filter { presented?.contains($0.0) == true }.map(\.1)
    }

    /// Taps a notification, or answers it with a text, and returns whether the app has called the
    /// completion handler.
    ///
    /// After that the system may suspend the app, so a background task must have begun before.
    func tap(
        _ notification: UNNotification, _ action: String = UNNotificationDefaultActionIdentifier,
        text: String? = nil
    ) async -> Bool {
        var isDone = false
        let plain = UNNotificationResponse(notification: notification, actionIdentifier: action)
        let response = text.map {
            UNTextInputNotificationResponse(
                notification: notification, actionIdentifier: action, userText: $0)
        }
        center.delegate?.userNotificationCenter(center, didReceive: response ?? plain) { [self] in
            begunAtCompletion = backgroundTasks.begun
            isDone = true
        }
        return await eventuallyOnMain { isDone }
    }

    /// The identifiers of each category's actions; an answer in text has a question mark.
    var actions: [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: center.categories.map { category in
                (
                    category.identifier,
                    category.actions.map {
                        $0.identifier + ($0 is UNTextInputNotificationAction ? "?" : "")
                    }
                )
            })
    }

    /// Delivers a background push, and waits until the app is done.
    func fetch(_ userInfo: [AnyHashable: Any]) async -> String {
        var result: UIBackgroundFetchResult?
        delegate.application(system, didReceiveRemoteNotification: userInfo) { result = $0 }
        _ = await eventuallyOnMain { result != nil }
        return result.map { "\($0)" } ?? "nothing"
    }
}

/// The example's app, with the test's device and server.
final class ExampleApp: AppDelegate {
    private nonisolated let own = LockedValue<PushInbox?>(nil)
    nonisolated let requests = LockedValue<[String]>([])
    nonisolated let known = LockedValue<Recipient?>(nil)
    nonisolated let staleGeneration = LockedValue<UInt64?>(nil)
    nonisolated let serverIsSilent = LockedValue(false)
    nonisolated let signerLists = LockedValue<[String]>([])
    nonisolated let reports = LockedValue<[String]>([])
    var links: [String] = []

    init(_ fixture: ExamplesFixture) {
        super.init()
        use(fixture.configuration)
    }

    // The example's module isolates its classes to the main actor.
    isolated deinit {}

    nonisolated override var inbox: PushInbox { own.withLock { $0 } ?? super.inbox }

    /// Takes the app out of its app group.
    func leaveAppGroup() {
        var configuration = inbox.configuration
        configuration.directory = nil
        use(configuration)
    }

    private func use(_ configuration: PushConfiguration) {
        let inbox = PushInbox(configuration) { [reports] event in
            guard let failure = event.failure else { return }
            reports.withLock { $0.append(failure.code.rawValue) }
        }
        own.withLock { $0 = inbox }
    }

    nonisolated override var server: AppServer {
        AppServer { [requests, known, staleGeneration, serverIsSilent, signerLists] registration in
            requests.withLock { $0.append(registration.registration) }
            while serverIsSilent.withLock({ $0 }) { try await Task.sleep(nanoseconds: 1_000_000) }
            if let generation = staleGeneration.withLock({ $0 }) {
                staleGeneration.withLock { $0 = nil }
                let body = Data(#"{"generation":\#(generation)}"#.utf8)
                return try RegistrationResponse(status: 409, headers: [:], body: body)
            }
            let message = try JSONDecoder().decode(
                [String: String].self, from: Data(registration.json.utf8))
            let recipient = try Recipient(
                registration: Registration(parsing: (message["registration"] ?? "").utf8),
                deviceToken: message["token"] ?? "")
            known.withLock { $0 = recipient }
            let lists = signerLists.withLock { $0 }
            guard !lists.isEmpty else {
                return try RegistrationResponse(status: 204, headers: [:], body: Data())
            }
            return try RegistrationResponse(
                status: 200, headers: [:], body: try JSONEncoder().encode(["lists": lists]))
        }
    }

    override func received(_ reader: PayloadReader) async {
        record("received", reader)
    }

    override func tapped(_ reader: PayloadReader) {
        record("tapped", reader)
    }

    override func act(_ response: UserResponse) async {
        guard let reader = response.reader else { return }
        record(response.action == "REPLY" ? "replied \(response.text ?? "") to" : "read", reader)
    }

    override func keepDraft(of response: UserResponse) {
        let text = response.text ?? ""
        guard let reader = response.reader else { return links.append("draft \(text)") }
        record("draft \(text) to", reader)
    }

    private func record(_ event: String, _ reader: PayloadReader) {
        guard let link = try? reader.customIfPresent("link", as: URL.self) else { return }
        links.append("\(event) \(link.absoluteString)")
    }
}

/// The example's content extension, with the test's device.
@MainActor final class ExampleContentExtension {
    private let controller: Controller

    init(_ configuration: PushConfiguration) {
        controller = Controller()
        controller.own.withLock { $0 = PushInbox(configuration) }
    }

    convenience init(_ fixture: ExamplesFixture) { self.init(fixture.configuration) }

    var title: String? { controller.titleLabel.text }
    var text: String? { controller.textLabel.text }
    var hasPicture: Bool { controller.pictureView.image != nil }
    var hasBegunToLoad: Bool { controller.loading != nil }

    func showPicture(of push: OpenedPush) async {
        await controller.showPicture(of: push)
    }

    /// Waits until the picture is loaded, or can't be.
    func loaded() async { await controller.loading?.value }

    /// A Boolean value that indicates whether the view has both labels, one below the other.
    var isLaidOut: Bool {
        guard let stack = controller.view as? UIStackView else { return false }
        let views: [UIView] = [controller.titleLabel, controller.textLabel, controller.pictureView]
        return stack.axis == .vertical && stack.arrangedSubviews == views
            && controller.textLabel.numberOfLines == 0
    }

    func show(_ notification: UNNotification) {
        let shown: any UNNotificationContentExtension = controller
        shown.didReceive(notification)
    }

    private final class Controller: NotificationViewController {
        nonisolated let own = LockedValue<PushInbox?>(nil)

        isolated deinit {}

        nonisolated override var inbox: PushInbox { own.withLock { $0 } ?? super.inbox }
    }
}
#endif

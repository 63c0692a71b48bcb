#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UIKit
import UserNotifications

/// The example of an app delegate, from launch to tap. There is one notification center, so one test at a time.
@MainActor @Suite(.serialized) struct AppExamplesTests {
    private let fixture: ExamplesFixture
    private let app: App
    private let center = TestNotificationCenter.current

    init() throws {
        fixture = try ExamplesFixture()
        app = App()
        app.fixture.withValue { [fixture] in $0 = fixture }
        UIDevice.current.vendor = UUID()
        center.delivered = []
        center.delegate = app
    }

    private static let token = Data((0..<32).map { UInt8($0) })
    private static let tokenText = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

    // MARK: Start

    @Test func theLaunchSetsEverythingUp() async {
        center.delegate = nil
        let before = UIApplication.shared.registrations
        let delegate: any UIApplicationDelegate = app
        #expect(delegate.application(UIApplication.shared, didFinishLaunchingWithOptions: nil))
        #expect(center.delegate === app)
        #expect(center.requested == [.alert, .badge, .sound])
        #expect(UIApplication.shared.registrations == before + 1)
    }

    @Test func theKeyIsRegisteredOnce() async throws {
        await register()
        #expect(app.requests.withValue { $0.count } == 1)
        let recipient = try #require(app.known.withValue { $0 })
        #expect(recipient.key == fixture.device.publicKey && recipient.deviceToken == Self.tokenText)
        await register()
        #expect(app.requests.withValue { $0.count } == 1)
        #expect(app.reports.withValue { $0 } == [])
    }

    @Test func whatFailsWhileLockedIsDoneAfterUnlocking() async throws {
        fixture.store.behave(.unreadable(ExamplesFixture.locked))
        await register()
        #expect(app.requests.withValue { $0.isEmpty })
        #expect(app.reports.withValue { $0 } == ["device-locked"])
        fixture.store.behave(.working)
        app.applicationProtectedDataDidBecomeAvailable(UIApplication.shared)
        #expect(
            await eventuallyOnMain {
                app.known.withValue { $0 != nil } && UIApplication.shared.backgroundTasks.running == 0
            })
        #expect(app.requests.withValue { $0.count } == 1)
    }

    @Test func aServerThatKnowsMoreIsOvertaken() async throws {
        app.staleGeneration.withValue { $0 = 41 }
        await register()
        #expect(app.requests.withValue { $0.count } == 2)
        #expect(try #require(app.known.withValue { $0 }).generation > 41)
        #expect(app.reports.withValue { $0 } == [])
    }

    /// Hands the app its token, and waits until it has done with it.
    private func register() async {
        let begun = UIApplication.shared.backgroundTasks.begun
        app.application(UIApplication.shared, didRegisterForRemoteNotificationsWithDeviceToken: Self.token)
        #expect(UIApplication.shared.backgroundTasks.begun == begun + 1)
        #expect(await eventuallyOnMain { UIApplication.shared.backgroundTasks.running == 0 })
    }

    // MARK: The server

    @Test func theServersAnswers() async throws {
        let time = "Sun, 06 Nov 1994 08:49:37 GMT"
        let confirmed = AppServer { _, _ in AppServer.Reply(status: 201, date: time) }
        #expect(
            try await confirmed.register("{}", "0a")
                == .confirmed(at: Date(timeIntervalSince1970: 784_111_777)))
        let undated = AppServer { _, _ in AppServer.Reply(status: 200) }
        #expect(try await undated.register("{}", "0a") == .confirmed(at: nil))
        let stale = AppServer { _, _ in AppServer.Reply(status: 409, body: Data(#"{"generation":5}"#.utf8)) }
        #expect(try await stale.register("{}", "0a") == .stale(generation: 5))
        let refusing = AppServer { _, _ in AppServer.Reply(status: 503) }
        await #expect(throws: AppServer.Refusal.self) { try await refusing.register("{}", "0a") }
    }

    // MARK: Notifications

    private static let order =
        #"{"aps":{"alert":{"title":"Order","body":"On its way"}},"link":"app://orders/7"}"#

    @Test func inTheForegroundAndOnATap() async throws {
        let notification = try fixture.delivered(fixture.sealed(Self.order))
        #expect(present(notification) == [.banner, .list, .sound, .badge])
        #expect(await eventuallyOnMain { app.links == ["received app://orders/7"] })
        tap(notification)
        #expect(await eventuallyOnMain { app.links.count == 2 })
        tap(notification, UNNotificationDismissActionIdentifier)
        tap(notification)
        #expect(await eventuallyOnMain { app.links.count == 3 })
        #expect(app.links.dropFirst() == ["tapped app://orders/7", "tapped app://orders/7"])
        #expect(app.reports.withValue { $0 } == [])
    }

    @Test func whatWasNeverSealedLeadsNowhere() async throws {
        let notification = try fixture.delivered(fixture.clear(Data(Self.order.utf8)))
        #expect(present(notification).contains(.banner))
        tap(notification)
        #expect(app.reports.withValue { $0 } == ["not-sealed", "not-sealed"])
        // What would have been done is done before this.
        try await Task.sleep(nanoseconds: 50_000_000)
        #expect(app.links == [])
    }

    @Test func aBackgroundPushIsActedUponOnce() async throws {
        let push = try fixture.sealed(#"{"aps":{"content-available":1},"link":"app://sync"}"#, .background)
        #expect(fetch(push) == .newData)
        #expect(await eventuallyOnMain { app.links == ["received app://sync"] })
        #expect(fetch(push) == .failed)
        #expect(fetch(try fixture.clear(Data(#"{"aps":{"content-available":1},"link":"app://a"}"#.utf8))) == .failed)
        #expect(app.reports.withValue { $0 } == ["replayed", "not-sealed"])
        #expect(app.links == ["received app://sync"])
    }

    /// A push with an alert and `content-available` comes to the app and to the extension.
    @Test func theAppTakesNothingFromTheExtension() throws {
        let push = try fixture.sealed(Self.order)
        #expect(fetch(push) == .newData)
        #expect(try fixture.delivered(push).request.content.body == "On its way")
    }

    @Test func whatCameWhileLockedIsShownLater() async throws {
        fixture.store.behave(.unreadable(ExamplesFixture.locked))
        let locked = try fixture.delivered(fixture.sealed(Self.order), identifier: "locked")
        #expect(locked.request.content.body == "(Encrypted)")
        #expect(eventually { (try? fixture.setup.outcomes?.entries().count) == 1 })
        // And one that the extension has never seen.
        let untouched = UNNotification(
            date: Date(), request: fixture.request(try fixture.sealed(Self.order), identifier: "untouched"))
        center.delivered = [locked, untouched]
        fixture.store.behave(.working)
        _ = app.application(UIApplication.shared, didFinishLaunchingWithOptions: nil)
        NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        #expect(
            await eventuallyOnMain { center.delivered.filter { $0.request.content.body == "On its way" }.count == 2 })
        #expect(Set(center.delivered.map(\.request.identifier)) == ["locked", "untouched"])
        #expect(try fixture.setup.outcomes?.entries().map(\.outcome) == [.fallback, .notRun])
        // The user was alerted before.
        #expect(present(try #require(center.delivered.first)) == [.list])
        #expect(app.reports.withValue { $0 } == [])
    }

    private func present(_ notification: UNNotification) -> UNNotificationPresentationOptions {
        var presented: UNNotificationPresentationOptions = []
        center.delegate?.userNotificationCenter(center, willPresent: notification) { presented = $0 }
        return presented
    }

    private func tap(
        _ notification: UNNotification, _ action: String = UNNotificationDefaultActionIdentifier
    ) {
        var isDone = false
        center.delegate?.userNotificationCenter(
            center, didReceive: UNNotificationResponse(notification: notification, actionIdentifier: action)
        ) { isDone = true }
        #expect(isDone)
    }

    private func fetch(_ userInfo: [AnyHashable: Any]) -> UIBackgroundFetchResult? {
        var result: UIBackgroundFetchResult?
        let delegate: any UIApplicationDelegate = app
        delegate.application(UIApplication.shared, didReceiveRemoteNotification: userInfo) { result = $0 }
        return result
    }
}

/// The example, with a device and a server of the test's.
private final class App: AppDelegate {
    nonisolated let fixture = Protected<ExamplesFixture?>(nil)
    nonisolated let requests = Protected<[String]>([])
    nonisolated let known = Protected<Recipient?>(nil)
    nonisolated let staleGeneration = Protected<UInt64?>(nil)
    nonisolated var reports: Protected<[String]> { Self.reported }
    var links: [String] = []

    private nonisolated static let reported = Protected<[String]>([])

    override init() {
        super.init()
        Self.reported.withValue { $0 = [] }
    }

    nonisolated override var setup: PushSetup { fixture.withValue { $0?.setup } ?? super.setup }

    nonisolated override var server: AppServer {
        AppServer { [requests, known, staleGeneration] path, body in
            requests.withValue { $0.append(path) }
            if let generation = staleGeneration.withValue({ $0 }) {
                staleGeneration.withValue { $0 = nil }
                return AppServer.Reply(status: 409, body: Data(#"{"generation":\#(generation)}"#.utf8))
            }
            let message = try JSONDecoder().decode([String: String].self, from: body)
            let recipient = try Recipient.updating(
                nil, with: Array((message["registration"] ?? "").utf8), deviceToken: message["token"] ?? "")
            known.withValue { $0 = recipient }
            return AppServer.Reply(status: 200, date: nil)
        }
    }

    override func registrar() throws -> DeviceRegistrar {
        DeviceRegistrar(
            store: setup.keys, device: UIDevice.current.identifierForVendor?.uuidString,
            folder: setup.sharedFolder ?? "")
    }

    override func received(_ reader: PayloadReader) {
        note("received", reader)
    }

    override func tapped(_ reader: PayloadReader) {
        note("tapped", reader)
    }

    private func note(_ event: String, _ reader: PayloadReader) {
        guard let link = try? reader.customIfPresent("link", as: URL.self) else { return }
        links.append("\(event) \(link.absoluteString)")
    }

    nonisolated override class func report(_ error: any Error) {
        let text = (error as? PushCryptError)?.code.rawValue ?? "\(error)"
        reported.withValue { $0.append(text) }
    }
}
#endif

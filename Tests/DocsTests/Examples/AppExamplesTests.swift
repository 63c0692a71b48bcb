#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// The example of an app delegate, from launch to tap.
///
/// There is one notification center, so one test at a time.
@MainActor @Suite(.serialized) struct AppExamplesTests {
    private let fixture: ExamplesFixture
    private let phone: ExamplePhone
    private var app: ExampleApp { phone.app }

    init() throws {
        fixture = try ExamplesFixture()
        phone = ExamplePhone(fixture)
    }

    private static let token = Data((0..<32).map { UInt8($0) })
    private static let tokenText = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

    // MARK: Start

    @Test func theLaunchSetsEverythingUp() {
        let before = phone.registrations
        #expect(!phone.asksTheApp)
        #expect(phone.launch())
        #expect(phone.asksTheApp)
        #expect(phone.requested == ["badge", "sound", "alert"])
        #expect(phone.registrations == before + 1)
    }

    @Test func theKeyIsRegisteredOnce() async throws {
        await register()
        #expect(app.requests.withLock { $0.count } == 1)
        let recipient = try #require(app.known.withLock { $0 })
        #expect(recipient.key == fixture.device.publicKey && recipient.deviceToken == Self.tokenText)
        await register()
        #expect(app.requests.withLock { $0.count } == 1)
        #expect(app.reports.withLock { $0 } == [])
    }

    @Test func whatFailsWhileLockedIsDoneAfterUnlocking() async throws {
        fixture.store.behave(.unreadable(ExamplesFixture.locked))
        await register()
        #expect(app.requests.withLock { $0.isEmpty })
        #expect(app.reports.withLock { $0 } == ["device-locked"])
        fixture.store.behave(.working)
        phone.unlock()
        #expect(await eventuallyOnMain { app.known.withLock { $0 != nil } && phone.backgroundTasks.running == 0 })
        #expect(app.requests.withLock { $0.count } == 1)
    }

    @Test func aServerThatKnowsMoreIsOvertaken() async throws {
        app.staleGeneration.withLock { $0 = 41 }
        await register()
        #expect(app.requests.withLock { $0.count } == 2)
        #expect(try #require(app.known.withLock { $0 }).generation > 41)
        #expect(app.reports.withLock { $0 } == [])
    }

    /// Hands the app its token, and waits until it has done with it.
    private func register() async {
        let begun = phone.backgroundTasks.begun
        phone.register(Self.token)
        #expect(phone.backgroundTasks.begun == begun + 1)
        #expect(await eventuallyOnMain { phone.backgroundTasks.running == 0 })
    }

    /// Also where the work does not look whether it was cancelled.
    @Test func theSystemsTimeIsGivenBackBeforeItIsOver() async throws {
        app.serverIsSilent.withLock { $0 = true }
        phone.register(Self.token)
        #expect(await eventuallyOnMain { app.requests.withLock { $0.count == 1 } })
        #expect(phone.backgroundTasks.running == 1)
        phone.timeIsUp()
        #expect(phone.backgroundTasks.running == 0)
        app.serverIsSilent.withLock { $0 = false }
        #expect(await eventuallyOnMain { app.known.withLock { $0 != nil } || app.reports.withLock { !$0.isEmpty } })
        #expect(phone.backgroundTasks.running == 0)
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
        #expect(phone.launch())
        let notification = try fixture.delivered(fixture.sealed(Self.order))
        #expect(phone.present(notification) == ["badge", "sound", "list", "banner"])
        #expect(await eventuallyOnMain { app.links == ["received app://orders/7"] })
        #expect(phone.tap(notification))
        #expect(await eventuallyOnMain { app.links.count == 2 })
        #expect(phone.tap(notification, UNNotificationDismissActionIdentifier))
        #expect(phone.tap(notification))
        #expect(await eventuallyOnMain { app.links.count == 3 })
        #expect(app.links.dropFirst() == ["tapped app://orders/7", "tapped app://orders/7"])
        #expect(app.reports.withLock { $0 } == [])
    }

    @Test func whatWasNeverSealedLeadsNowhere() async throws {
        #expect(phone.launch())
        let notification = try fixture.delivered(fixture.clear(Data(Self.order.utf8)))
        #expect(phone.present(notification).contains("banner"))
        #expect(phone.tap(notification))
        #expect(app.reports.withLock { $0 } == ["not-sealed", "not-sealed"])
        // What would have been done is done before this.
        try await Task.sleep(nanoseconds: 50_000_000)
        #expect(app.links == [])
    }

    @Test func aBackgroundPushIsActedUponOnce() async throws {
        let push = try fixture.sealed(#"{"aps":{"content-available":1},"link":"app://sync"}"#, .background)
        #expect(phone.fetch(push) == "newData")
        #expect(await eventuallyOnMain { app.links == ["received app://sync"] })
        #expect(phone.fetch(push) == "failed")
        #expect(
            phone.fetch(try fixture.clear(Data(#"{"aps":{"content-available":1},"link":"app://a"}"#.utf8))) == "failed")
        #expect(app.reports.withLock { $0 } == ["replayed", "not-sealed"])
        #expect(app.links == ["received app://sync"])
    }

    @Test func withoutTheAppGroupNoBackgroundPushIsActedUpon() throws {
        app.lacksAppGroup.withLock { $0 = true }
        let push = try fixture.sealed(#"{"aps":{"content-available":1},"link":"app://sync"}"#, .background)
        #expect(phone.fetch(push) == "failed")
        #expect(app.reports.withLock { $0 } == ["replay-guard-unavailable"])
        #expect(app.links == [])
    }

    /// A push with an alert and `content-available` comes to the app and to the extension.
    @Test func theAppTakesNothingFromTheExtension() throws {
        let push = try fixture.sealed(
            #"{"aps":{"alert":{"title":"Order","body":"On its way"},"content-available":1}}"#,
            exposedKeys: [.contentAvailable])
        #expect((push["aps"] as? [String: Any])?["content-available"] as? Int == 1)
        #expect(phone.fetch(push) == "newData")
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
        phone.delivered = [locked, untouched]
        fixture.store.behave(.working)
        #expect(phone.launch())
        phone.activate()
        #expect(
            await eventuallyOnMain { phone.delivered.filter { $0.request.content.body == "On its way" }.count == 2 })
        #expect(Set(phone.delivered.map(\.request.identifier)) == ["locked", "untouched"])
        #expect(try fixture.setup.outcomes?.entries().map(\.outcome) == [.fallback, .notRun])
        // The user was alerted before.
        #expect(phone.present(try #require(phone.delivered.first)) == ["list"])
        #expect(app.reports.withLock { $0 } == [])
    }
}
#endif

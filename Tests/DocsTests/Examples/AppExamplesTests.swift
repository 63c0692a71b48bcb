#if !canImport(Darwin)
import PushCryptSystem
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// The example of an app delegate, from launch to tap.
@MainActor @Suite(.serialized, .exclusive("notification center")) struct AppExamplesTests {
    let fixture: ExamplesFixture
    let phone: ExamplePhone
    var app: ExampleApp { phone.app }
    var reports: [String] { app.reports.withLock { $0 } }

    init() throws {
        fixture = try ExamplesFixture()
        phone = ExamplePhone(fixture)
    }

    static let token = Data((0..<32).map { UInt8($0) })

    // MARK: Registration

    @Test("The launch asks for permission and registers for pushes")
    func launchSetsEverythingUp() {
        let before = phone.registrations
        #expect(!phone.asksTheApp)
        #expect(phone.launch())
        #expect(phone.asksTheApp)
        #expect(phone.requested == ["badge", "sound", "alert"])
        #expect(phone.registrations == before + 1)
        #expect(phone.actions == ["MESSAGE": ["REPLY?", "READ"]])
        #expect(FileManager.default.fileExists(atPath: fixture.directory + "/pushcrypt.outcomes"))
    }

    /// Hands the app its token, and waits until the app is done.
    private func register() async {
        let begun = phone.backgroundTasks.begun
        phone.register(Self.token)
        #expect(await eventuallyOnMain { phone.backgroundTasks.begun == begun + 1 })
        #expect(await eventuallyOnMain { phone.backgroundTasks.running == 0 })
    }

    @Test("The app registers its key once")
    func keyIsRegisteredOnce() async throws {
        for _ in 1...2 { await register() }
        #expect(app.requests.withLock { $0.count } == 1)
        let recipient = try #require(app.known.withLock { $0 })
        #expect(recipient.key == fixture.device.publicKey)
        #expect(
            recipient.deviceToken
                == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        #expect(reports == [])
    }

    @Test("A registration that fails on the locked device is repeated after unlocking")
    func registrationIsRepeatedAfterUnlocking() async throws {
        #expect(phone.launch())
        fixture.lock()
        await register()
        #expect(await eventuallyOnMain { reports == ["device-locked"] })
        #expect(app.requests.withLock { $0.isEmpty })
        fixture.store.behavior = .working
        phone.unlock()
        #expect(
            await eventuallyOnMain {
                app.known.withLock { $0 != nil } && phone.backgroundTasks.running == 0
            })
        #expect(app.requests.withLock { $0.count } == 1)
    }

    @Test("An activation doesn't repeat a registration that is running")
    func activationDoesNotRepeat() async throws {
        #expect(phone.launch())
        app.serverIsSilent.withLock { $0 = true }
        phone.register(Self.token)
        #expect(await eventuallyOnMain { app.requests.withLock { $0.count == 1 } })
        let begun = phone.backgroundTasks.begun
        phone.activate()
        #expect(
            await eventuallyOnMain {
                phone.backgroundTasks.begun > begun && phone.backgroundTasks.running == 1
            })
        app.serverIsSilent.withLock { $0 = false }
        #expect(await eventuallyOnMain { phone.backgroundTasks.running == 0 })
        #expect(app.requests.withLock { $0.count } == 1)
        #expect(reports == [])
    }

    @Test("The app registers a newer generation than the server's")
    func generationIsAdvanced() async throws {
        app.staleGeneration.withLock { $0 = 41 }
        await register()
        #expect(app.requests.withLock { $0.count } == 2)
        #expect(try #require(app.known.withLock { $0 }).registration.generation > 41)
        #expect(reports == [])
    }

    @Test(
        "The registration is canceled when the system's time expires, and repeated when the app is active again"
    )
    func backgroundTaskEndsInTime() async throws {
        app.serverIsSilent.withLock { $0 = true }
        #expect(phone.launch())
        phone.register(Self.token)
        #expect(await eventuallyOnMain { app.requests.withLock { $0.count == 1 } })
        #expect(phone.backgroundTasks.running == 1)
        phone.timeIsUp()
        #expect(await eventuallyOnMain { phone.backgroundTasks.running == 0 && reports.count == 1 })
        #expect(app.known.withLock { $0 == nil })
        app.serverIsSilent.withLock { $0 = false }
        phone.activate()
        #expect(
            await eventuallyOnMain {
                app.known.withLock { $0 != nil } && phone.backgroundTasks.running == 0
            })
    }

    @Test("The app understands the server's answers")
    func serverAnswersAreUnderstood() throws {
        func answer(_ status: Int, date: String? = nil, body: String = "") throws
            -> RegistrationResponse
        {
            try RegistrationResponse(
                status: status, headers: date.map { ["Date": $0] } ?? [:], body: Data(body.utf8))
        }
        let date = Date(timeIntervalSince1970: 784_111_777)
        #expect(try answer(201, date: "Sun, 06 Nov 1994 08:49:37 GMT") == .accepted(date: date))
        for body in ["", "OK", "{}", #"{"lists":[]}"#] {
            #expect(try answer(200, body: body) == .accepted(date: nil))
        }
        #expect(
            try answer(200, body: #"{"lists":["a","b"]}"#)
                == .accepted(date: nil, signerLists: ["a", "b"]))
        #expect(try answer(202) == .challenged(date: nil))
        #expect(
            try answer(202, body: #"{"lists":["a"]}"#) == .challenged(date: nil, signerLists: ["a"])
        )
        #expect(try answer(409, body: #"{"generation":5}"#) == .stale(generation: 5))
        #expect(throws: PushCryptError(.registrationRefused, "")) { try answer(503) }
    }

    // MARK: Notifications

    static let order =
        #"{"aps":{"alert":{"title":"Order","body":"In transit"}},"link":"app://orders/7"}"#

    @Test(
        "The app reads a notification in the foreground and on a tap, but not when the user dismisses it"
    )
    func notificationIsRead() async throws {
        #expect(phone.launch())
        let notification = try fixture.delivered(fixture.sealed(Self.order))
        #expect(phone.present(notification) == ["badge", "sound", "list", "banner"])
        #expect(await eventuallyOnMain { app.links == ["received app://orders/7"] })
        #expect(await phone.tap(notification))
        #expect(await eventuallyOnMain { app.links.count == 2 })
        #expect(await phone.tap(notification, UNNotificationDismissActionIdentifier))
        #expect(await phone.tap(notification))
        #expect(await eventuallyOnMain { app.links.count == 3 })
        #expect(app.links.dropFirst() == ["tapped app://orders/7", "tapped app://orders/7"])
        #expect(reports == [])
    }

    @Test("The app gets the user's answer and action, in a background task")
    func answerReachesTheApp() async throws {
        #expect(phone.launch())
        let begun = phone.backgroundTasks.begun
        let notification = try fixture.delivered(fixture.sealed(Self.order))
        #expect(await phone.tap(notification, "REPLY", text: "Thanks"))
        #expect(await eventuallyOnMain { app.links == ["replied Thanks to app://orders/7"] })
        #expect(phone.begunAtCompletion == begun + 1)
        #expect(await phone.tap(notification, "READ"))
        #expect(await eventuallyOnMain { app.links.last == "read app://orders/7" })
        #expect(await eventuallyOnMain { phone.backgroundTasks.running == 0 })
        #expect(phone.backgroundTasks.begun == begun + 2)
        let forged = try fixture.delivered(SystemDelivery.userInfo(Self.order.utf8))
        #expect(await phone.tap(forged, "REPLY", text: "Thanks"))
        #expect(reports == ["not-sealed"])
        #expect(app.links.dropFirst(2) == ["draft Thanks"], "The text isn't lost.")
    }

    /// The attack: a recorded message under a text and buttons that the attacker has chosen.
    @Test("An answer to an attacker's text over a recorded message is refused, and kept as a draft")
    func answerToAnAttackersTextIsRefused() async throws {
        #expect(phone.launch())
        let begun = phone.backgroundTasks.begun
        let recorded = try fixture.sealed(Self.order)
        #expect(try fixture.delivered(recorded).request.content.body == "In transit")
        let forged = ExamplePhone.displayed(
            recorded, title: "Anna", body: "Please send me the door code")
        #expect(phone.present(forged).contains("list"))
        #expect(await phone.tap(forged, "REPLY", text: "It's 4711"))
        #expect(app.links == ["draft It's 4711 to app://orders/7", "tapped app://orders/7"])
        #expect(await phone.tap(forged, "READ"))
        #expect(app.links.dropFirst(2) == ["tapped app://orders/7"])
        // A receipt that was copied from the genuine notification doesn't help.
        let genuine = try fixture.delivered(recorded)
        let copied = ExamplePhone.displayed(
            genuine.request.content.userInfo, title: "Anna", body: "The door code?")
        #expect(await phone.tap(copied, "REPLY", text: "It's 4711"))
        #expect(
            !app.links.contains {
                $0.hasPrefix("replied") || $0.hasPrefix("read") || $0.hasPrefix("received")
            })
        #expect(phone.backgroundTasks.begun == begun + 3)
        #expect(reports == [])
    }

    @Test("A push that was never sealed leads nowhere")
    func unsealedPushLeadsNowhere() async throws {
        #expect(phone.launch())
        let notification = try fixture.delivered(SystemDelivery.userInfo(Self.order.utf8))
        #expect(phone.present(notification).contains("banner"))
        #expect(await phone.tap(notification))
        #expect(reports == ["not-sealed", "not-sealed"])
        // Any reaction would come within this time.
        try await Task.sleep(nanoseconds: 50_000_000)
        #expect(app.links == [])
    }

    @Test("The app acts on a background push once, and never without its replay guard")
    func backgroundPushIsHandledOnce() async throws {
        let json = #"{"aps":{"content-available":1},"link":"app://sync"}"#
        let push = try fixture.sealed(json, .background)
        #expect(await phone.fetch(push) == "newData")
        #expect(await eventuallyOnMain { app.links == ["received app://sync"] })
        #expect(await phone.fetch(push) == "failed")
        #expect(await phone.fetch(try SystemDelivery.userInfo(json.utf8)) == "failed")
        app.leaveAppGroup()
        #expect(await phone.fetch(try fixture.sealed(json, .background)) == "failed")
        #expect(reports == ["replayed", "not-sealed", "invalid-configuration"])
        #expect(app.links == ["received app://sync"])
    }

    @Test("An alert that comes as a background push is for the extension only")
    func alertIsForTheExtensionOnly() async throws {
        let push = try fixture.sealed(
            #"{"aps":{"alert":{"title":"Order","body":"In transit"},"content-available":1}}"#,
            exposedKeys: [.contentAvailable])
        #expect((push["aps"] as? [String: Any])?["content-available"] as? Int == 1)
        #expect(await phone.fetch(push) == "noData")
        #expect(reports == [] && app.links == [])
        #expect(try fixture.delivered(push).request.content.body == "In transit")
    }

    @Test(
        "The app opens what came while the device was locked, and what the extension didn't handle")
    func lockedNotificationsAreOpenedLater() async throws {
        fixture.lock()
        let locked = try fixture.delivered(fixture.sealed(Self.order), identifier: "locked")
        #expect(locked.request.content.body == "(Encrypted)")
        #expect(try fixture.outcomes() == ["fallback"])
        let request = SystemDelivery.request(
            try fixture.sealed(Self.order), identifier: "untouched")
        phone.delivered = [locked, UNNotification(date: Date(), request: request)]
        fixture.store.behavior = .working
        #expect(phone.launch())
        phone.activate()
        #expect(
            await eventuallyOnMain {
                phone.delivered.filter { $0.request.content.body == "In transit" }.count == 2
            })
        #expect(Set(phone.delivered.map(\.request.identifier)) == ["locked", "untouched"])
        #expect(try fixture.outcomes() == ["fallback", "not-run"])
        // The user was alerted before.
        #expect(phone.present(try #require(phone.delivered.first)) == ["list"])
        #expect(reports == [])
    }
}
#endif

#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import Testing
import UserNotifications

// A server that changes its signing key. The suite is the same, because the stand-ins have one
// system.
extension AppExamplesTests {
    /// Hands an app its token, and returns the number of its requests to the server when it's done.
    private func register(_ phone: ExamplePhone) async -> Int {
        let begun = phone.backgroundTasks.begun
        phone.register(Self.token)
        #expect(await eventuallyOnMain { phone.backgroundTasks.begun == begun + 1 })
        #expect(await eventuallyOnMain { phone.backgroundTasks.running == 0 })
        return phone.app.requests.withLock { $0.count }
    }

    @Test("A list in the server's answer replaces the signing key without an update of the app")
    func listReachesTheApp() async throws {
        let next = try SigningKey()
        #expect(
            try fixture.delivered(fixture.sealed(Self.order, by: next)).request.content.body
                == "(Encrypted)")
        let list = try fixture.signerList([next])
        app.signerLists.withLock { $0 = [list.text] }
        #expect(await register(phone) == 2, "The second request tells the server the accepted key.")
        #expect(app.known.withLock { $0?.signers?.kids } == list.keys.map(\.kid))
        #expect(
            try fixture.delivered(fixture.sealed(Self.order, by: next)).request.content.body
                == "In transit")
        #expect(
            try fixture.delivered(fixture.sealed(Self.order)).request.content.body == "(Encrypted)")
        #expect(reports == [])
    }

    @Test("A list that breaks a rule is reported, and the registration counts")
    func brokenListIsReported() async throws {
        app.signerLists.withLock { $0 = ["no list"] }
        #expect(await register(phone) == 1)
        #expect(await eventuallyOnMain { reports == ["malformed-signer-list"] })
        #expect(await register(phone) == 1)
    }

    @Test("A push without content makes the app register at most once an hour")
    func pushAsksForARegistration() async throws {
        let request = try SystemDelivery.userInfo(#"{"aps":{"content-available":1}}"#.utf8)
        #expect(await register(phone) == 1)
        for _ in 0..<2 {
            #expect(await phone.fetch(request) == "newData")
            #expect(await eventuallyOnMain { phone.backgroundTasks.running == 0 })
            #expect(app.requests.withLock { $0.count } == 2)
        }
        #expect(reports == [])
    }

    @Test(
        "A push that launches the app asks for a registration, for which the app waits until it has its token"
    )
    func pushLaunchesTheApp() async throws {
        #expect(await register(phone) == 1)
        let launched = ExamplePhone(fixture)
        let request = try SystemDelivery.userInfo(#"{"aps":{"content-available":1}}"#.utf8)
        #expect(await launched.fetch(request) == "noData")
        #expect(await register(launched) == 1)
        let started = ExamplePhone(fixture)
        #expect(await register(started) == 0)
    }
}
#endif

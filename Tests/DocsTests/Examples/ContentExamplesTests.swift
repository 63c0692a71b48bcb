#if !canImport(Darwin)
import Foundation
import PushCryptTesting
import Testing
import UserNotifications

/// The example of a notification content extension.
@MainActor @Suite struct ContentExamplesTests {
    private let fixture: ExamplesFixture

    init() throws {
        fixture = try ExamplesFixture()
    }

    @Test func theViewShowsTheOriginal() throws {
        let view = ExampleContentExtension(fixture)
        view.show(
            try fixture.delivered(
                fixture.sealed(#"{"aps":{"alert":{"title":"Order","body":"On its way"},"category":"MESSAGE"}}"#)))
        #expect(view.title == "Order" && view.text == "On its way")
        #expect(view.isLaidOut)
        // Another of the same thread.
        view.show(try fixture.delivered(fixture.sealed(#"{"aps":{"alert":{"title":"Order","body":"Here"}}}"#)))
        #expect(view.text == "Here")
    }

    @Test func whatCannotBeOpenedIsTheFallback() throws {
        let view = ExampleContentExtension(fixture)
        view.show(try fixture.delivered(fixture.clear(Data(#"{"aps":{"alert":"Forged"}}"#.utf8))))
        #expect(view.title == "" && view.text == "(Encrypted)")
    }

    /// The extension could not read the keys when the notification came, the content extension can.
    @Test func whatOpensByNowIsTheOriginal() throws {
        let view = ExampleContentExtension(fixture)
        fixture.store.behave(.unreadable(ExamplesFixture.locked))
        let notification = try fixture.delivered(fixture.sealed(#"{"aps":{"alert":"text"}}"#))
        #expect(notification.request.content.body == "(Encrypted)")
        view.show(notification)
        #expect(view.text == "(Encrypted)")
        fixture.store.behave(.working)
        view.show(notification)
        #expect(view.text == "text")
    }
}
#endif

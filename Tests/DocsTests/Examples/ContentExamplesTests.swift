#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptTesting
import Testing
import UIKit
import UserNotifications
import UserNotificationsUI

/// The example of a notification content extension.
@MainActor @Suite struct ContentExamplesTests {
    private let fixture: ExamplesFixture

    init() throws {
        fixture = try ExamplesFixture()
    }

    @Test func theViewShowsTheOriginal() throws {
        let controller = Controller()
        controller.testSetup = fixture.setup
        let view: any UNNotificationContentExtension = controller
        view.didReceive(
            try fixture.delivered(
                fixture.sealed(#"{"aps":{"alert":{"title":"Order","body":"On its way"},"category":"order"}}"#)))
        #expect(controller.titleLabel.text == "Order" && controller.textLabel.text == "On its way")
        let stack = try #require(controller.view as? UIStackView)
        #expect(stack.arrangedSubviews == [controller.titleLabel, controller.textLabel])
        #expect(stack.axis == .vertical && controller.textLabel.numberOfLines == 0)
        // Another of the same thread.
        view.didReceive(try fixture.delivered(fixture.sealed(#"{"aps":{"alert":{"title":"Order","body":"Here"}}}"#)))
        #expect(controller.textLabel.text == "Here")
    }

    @Test func whatCannotBeOpenedIsTheFallback() throws {
        let controller = Controller()
        controller.testSetup = fixture.setup
        controller.didReceive(try fixture.delivered(fixture.clear(Data(#"{"aps":{"alert":"Forged"}}"#.utf8))))
        #expect(controller.titleLabel.text == "" && controller.textLabel.text == "(Encrypted)")
    }

    /// The extension could not read the keys when the notification came, the content extension can.
    @Test func whatOpensByNowIsTheOriginal() throws {
        let controller = Controller()
        controller.testSetup = fixture.setup
        fixture.store.behave(.unreadable(ExamplesFixture.locked))
        let notification = try fixture.delivered(fixture.sealed(#"{"aps":{"alert":"text"}}"#))
        #expect(notification.request.content.body == "(Encrypted)")
        controller.didReceive(notification)
        #expect(controller.textLabel.text == "(Encrypted)")
        fixture.store.behave(.working)
        controller.didReceive(notification)
        #expect(controller.textLabel.text == "text")
    }

    private final class Controller: NotificationViewController {
        private nonisolated let replaced = Protected<PushSetup?>(nil)

        nonisolated var testSetup: PushSetup? {
            get { replaced.withValue { $0 } }
            set { replaced.withValue { $0 = newValue } }
        }

        nonisolated override var setup: PushSetup { testSetup ?? super.setup }
    }
}
#endif

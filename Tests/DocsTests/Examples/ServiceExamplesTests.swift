#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// The example of a notification service extension.
@Suite struct ServiceExamplesTests {
    private let fixture: ExamplesFixture

    init() throws {
        fixture = try ExamplesFixture()
    }

    @Test func theExtensionShowsTheOriginalOrTheFallback() throws {
        let notification = try fixture.delivered(
            fixture.sealed(#"{"aps":{"alert":{"title":"Order","body":"On its way"}}}"#))
        #expect(notification.request.content.title == "Order")
        #expect(notification.request.content.body == "On its way")
        // The app opens it again.
        #expect(notification.request.content.userInfo["ENCRYPTED_DATA"] != nil)
        let forged = try fixture.clear(Data(#"{"aps":{"alert":"Forged"}}"#.utf8))
        #expect(try fixture.delivered(forged).request.content.body == "(Encrypted)")
        fixture.store.behave(.unreadable(ExamplesFixture.locked))
        let locked = try fixture.delivered(fixture.sealed(#"{"aps":{"alert":"text"}}"#))
        #expect(locked.request.content.body == "(Encrypted)")
        #expect(eventually { (try? fixture.setup.outcomes?.entries().count) == 3 })
    }

    @Test func withNothingToReadItsKeysFromItShowsTheFallback() throws {
        // The class as it is: Linux has no keychain.
        let request = fixture.request(try fixture.sealed(#"{"aps":{"alert":"text"}}"#))
        let shown = try fixture.delivered(request, DocsExamples.NotificationService())
        #expect(shown.request.content.body == "(Encrypted)")
    }

    // MARK: Communication notifications

    private static let message =
        """
        {"aps":{"alert":"See you at eight"},\
        "sender":{"id":"7","name":"Ada","conversation":"c","picture":"https://example.com/ada.jpg"}}
        """

    @Test func theNotificationShowsWhoHasWritten() throws {
        let service = Communication(fixture.setup, picture: .success(Data([1])))
        let shown = try fixture.delivered(fixture.request(try fixture.sealed(Self.message)), service)
        #expect(shown.request.content.title == "Ada, with a picture")
        #expect(shown.request.content.body == "See you at eight")
        #expect(shown.request.content.updatedBy is Intent)
    }

    @Test func aPictureThatDoesNotComeCostsNoName() throws {
        let service = Communication(fixture.setup, picture: .failure(CocoaError(.fileReadNoSuchFile)))
        let shown = try fixture.delivered(fixture.request(try fixture.sealed(Self.message)), service)
        #expect(shown.request.content.title == "Ada" && shown.request.content.body == "See you at eight")
    }

    @Test func whatIsNoMessageIsShownAsItIs() throws {
        let service = Communication(fixture.setup, picture: .success(Data([1])))
        let shown = try fixture.delivered(
            fixture.request(try fixture.sealed(#"{"aps":{"alert":{"title":"News","body":"text"}}}"#)), service)
        #expect(shown.request.content.title == "News" && shown.request.content.updatedBy == nil)
        // Without intents there is still the text.
        let plain = CommunicationWithoutIntents(fixture.setup)
        let opened = try fixture.delivered(fixture.request(try fixture.sealed(Self.message)), plain)
        #expect(opened.request.content.body == "See you at eight" && opened.request.content.updatedBy == nil)
    }

    private class CommunicationWithoutIntents: CommunicationNotificationService {
        private let setup: PushSetup

        init(_ setup: PushSetup) {
            self.setup = setup
        }

        override var keys: any KeyStore { setup.keys }
        override var sharedFolder: String? { setup.sharedFolder }
    }

    private final class Communication: CommunicationWithoutIntents {
        private let picture: Result<Data, any Error>

        init(_ setup: PushSetup, picture: Result<Data, any Error>) {
            self.picture = picture
            super.init(setup)
        }

        override func picture(at url: URL) async throws -> Data {
            #expect(url.absoluteString == "https://example.com/ada.jpg")
            return try picture.get()
        }

        override func provider(
            for sender: Sender, picture: Data?
        ) -> (any UNNotificationContentProviding)? {
            Intent(sender.name + (picture == nil ? "" : ", with a picture"))
        }
    }

    private final class Intent: NSObject, TestContentProvider {
        private let name: String

        init(_ name: String) {
            self.name = name
        }

        func update(_ content: UNMutableNotificationContent) throws {
            content.title = name
        }
    }
}
#endif

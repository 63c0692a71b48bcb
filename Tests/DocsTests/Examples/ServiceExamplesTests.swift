#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// The examples of a notification service extension and of a content extension.
@Suite(.ownThread) struct ServiceExamplesTests {
    private let fixture: ExamplesFixture

    init() throws {
        fixture = try ExamplesFixture()
    }

    @Test("The extension shows the original, or the fallback")
    func extensionShowsOriginalOrFallback() throws {
        let notification = try fixture.delivered(
            fixture.sealed(#"{"aps":{"alert":{"title":"Order","body":"In transit"}}}"#))
        #expect(notification.request.content.title == "Order")
        #expect(notification.request.content.body == "In transit")
        // The app opens it again.
        #expect(notification.request.content.userInfo["ENCRYPTED_DATA"] != nil)
        let forged = try SystemDelivery.userInfo(#"{"aps":{"alert":"Forged"}}"#.utf8)
        #expect(try fixture.delivered(forged).request.content.body == "(Encrypted)")
        fixture.lock()
        let locked = try fixture.delivered(fixture.sealed(#"{"aps":{"alert":"text"}}"#))
        #expect(locked.request.content.body == "(Encrypted)")
        #expect(try fixture.outcomes() == ["opened", "fallback", "fallback"])
    }

    @Test("Without a keychain, the extension shows the fallback")
    func extensionWithoutKeysShowsFallback() throws {
        let push = try fixture.sealed(#"{"aps":{"alert":"text"}}"#)
        let shown = try fixture.delivered(push, by: DocsExamples.NotificationService())
        #expect(shown.request.content.body == "(Encrypted)")
    }

    // MARK: The content extension

    @Test("The view shows the original of each notification of a thread") @MainActor
    func viewShowsTheOriginal() throws {
        let view = ExampleContentExtension(fixture)
        view.show(
            try fixture.delivered(
                fixture.sealed(
                    #"{"aps":{"alert":{"title":"Order","body":"In transit"},"category":"MESSAGE"}}"#
                )))
        #expect(view.title == "Order" && view.text == "In transit")
        #expect(view.isLaidOut)
        view.show(
            try fixture.delivered(
                fixture.sealed(#"{"aps":{"alert":{"title":"Order","body":"Here"}}}"#)))
        #expect(view.text == "Here")
    }

    @Test("The view downloads the picture again, and opens it with the sealed key") @MainActor
    func viewShowsThePicture() async throws {
        let (server, json) = try fixture.picture()
        let notification = try fixture.delivered(fixture.sealed(json))
        let inbox = PushInbox(fixture.configuration)
        let reader = try inbox.read(notification)
        let view = ExampleContentExtension(fixture)
        await view.showPicture(of: try #require(reader.push))
        #expect(view.hasPicture)
        let other = try inbox.read(fixture.delivered(fixture.sealed(#"{"aps":{"alert":"text"}}"#)))
        let plain = ExampleContentExtension(fixture)
        await plain.showPicture(of: try #require(other.push))
        #expect(!plain.hasPicture)
        _ = server
    }

    @Test("The view shows the fallback until the app opens the original") @MainActor
    func viewShowsTheFallback() async throws {
        let view = ExampleContentExtension(fixture)
        view.show(
            try fixture.delivered(SystemDelivery.userInfo(#"{"aps":{"alert":"Forged"}}"#.utf8)))
        #expect(view.title == "" && view.text == "(Encrypted)")
        fixture.lock()
        let notification = try fixture.delivered(fixture.sealed(#"{"aps":{"alert":"text"}}"#))
        view.show(notification)
        #expect(view.text == "(Encrypted)")
        fixture.store.behavior = .working
        view.show(notification)
        #expect(view.text == "(Encrypted)")
        let request = try #require(
            await PushInbox(fixture.configuration).reopened([notification]).first)
        view.show(UNNotification(date: Date(), request: request))
        #expect(view.text == "text")
    }

    @Test("The view shows nothing of a message under an attacker's text") @MainActor
    func viewShowsNothingUnderAnAttackersText() throws {
        let view = ExampleContentExtension(fixture)
        let payload = try fixture.sealed(
            #"{"aps":{"alert":{"title":"Bob","body":"Hi"},"category":"MESSAGE"}}"#)
        view.show(try fixture.delivered(payload))
        #expect(view.title == "Bob" && view.text == "Hi")
        view.show(
            ExamplePhone.displayed(payload, title: "Anna", body: "Please send me the door code"))
        #expect(view.title == "Anna" && view.text == "Please send me the door code")
    }

    // MARK: Communication notifications

    private static let message =
        """
        {"aps":{"alert":"See you at eight"},\
        "sender":{"id":"7","name":"Ada","conversation":"c","picture":"https://example.com/ada.jpg"}}
        """

    /// Returns the content that an extension with these intents and this picture shows.
    private func shown(
        _ json: String, picture: Data? = nil, hasIntents: Bool = true
    ) throws -> UNNotificationContent {
        let service = Communication(fixture.configuration, picture: picture, hasIntents: hasIntents)
        return try fixture.delivered(fixture.sealed(json), by: service).request.content
    }

    @Test("The notification shows its author with a picture")
    func notificationShowsItsAuthor() throws {
        let content = try shown(Self.message, picture: Data([1]))
        #expect(content.title == "Ada, with a picture" && content.body == "See you at eight")
        #expect(content.updatedBy is Intent)
    }

    @Test("Without the picture, the notification shows at least the name")
    func missingPictureKeepsTheName() throws {
        let content = try shown(Self.message)
        #expect(content.title == "Ada" && content.body == "See you at eight")
    }

    @Test("Other notifications stay as they are, and so does a message without intents")
    func otherNotificationsStay() throws {
        let news = try shown(
            #"{"aps":{"alert":{"title":"News","body":"text"}}}"#, picture: Data([1]))
        #expect(news.title == "News" && news.updatedBy == nil)
        let plain = try shown(Self.message, hasIntents: false)
        #expect(plain.body == "See you at eight" && plain.updatedBy == nil)
    }

    @Test(
        "An intent is donated before its update, and a failure doesn't lose the name",
        arguments: [true, false])
    func intentsAreDonated(works: Bool) throws {
        let service = Communication(fixture.configuration, picture: Data([1]), hasIntents: true)
        service.donationsFail.withLock { $0 = !works }
        let content = try fixture.delivered(fixture.sealed(Self.message), by: service).request
            .content
        #expect(content.title == "Ada, with a picture" && content.updatedBy is Intent)
        let steps = [
            "donate Ada", "update Ada", "donate Ada, with a picture", "update Ada, with a picture",
        ]
        #expect(service.steps.withLock { $0 } == steps)
    }

    private final class Communication: CommunicationNotificationService {
        private let own: PushConfiguration
        private let picture: Data?
        private let hasIntents: Bool
        let donationsFail = LockedValue(false)
        let steps = LockedValue<[String]>([])

        init(_ configuration: PushConfiguration, picture: Data?, hasIntents: Bool) {
            own = configuration
            self.picture = picture
            self.hasIntents = hasIntents
        }

        override var configuration: PushConfiguration { own }

        override func picture(at url: URL) async throws -> Data {
            #expect(url.absoluteString == "https://example.com/ada.jpg")
            guard let picture else { throw CocoaError(.fileReadNoSuchFile) }
            return picture
        }

        override func provider(for sender: Sender, picture: Data?) -> (
            any UNNotificationContentProviding
        )? {
            guard hasIntents else { return super.provider(for: sender, picture: picture) }
            return Intent(sender.name + (picture == nil ? "" : ", with a picture"), steps)
        }

        nonisolated(nonsending) override func donate(_ provider: any UNNotificationContentProviding)
            async throws
        {
            try await super.donate(provider)
            guard let intent = provider as? Intent else { return }
            steps.withLock { $0.append("donate \(intent.name)") }
            if donationsFail.withLock({ $0 }) { throw CocoaError(.featureUnsupported) }
        }
    }

    private final class Intent: NSObject, TestContentProvider {
        let name: String
        private let steps: LockedValue<[String]>

        init(_ name: String, _ steps: LockedValue<[String]>) {
            self.name = name
            self.steps = steps
        }

        func update(_ content: UNMutableNotificationContent) throws {
            steps.withLock { $0.append("update \(name)") }
            content.title = name
        }
    }
}
#endif

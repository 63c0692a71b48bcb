// A test can only create stand-ins. The system creates the real objects.
#if !canImport(Darwin)
import Foundation
import Testing
import UserNotifications
import UserNotificationsUI

/// The behavior of stand-ins that tests rely on, which Apple's classes have too.
@Suite struct StandInBehaviorTests {
    private final class Provider: NSObject, TestContentProvider {
        func update(_ content: UNMutableNotificationContent) { content.title = "Anne" }
    }

    private struct Refusal: Error {}

    private final class RefusingProvider: NSObject, TestContentProvider {
        func update(_ content: UNMutableNotificationContent) throws { throw Refusal() }
    }

    private final class ForeignProvider: NSObject, UNNotificationContentProviding {}

    private func content() -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = "Chat"
        content.body = "Hello"
        return content
    }

    // MARK: Content

    @Test("An update changes a copy and is recorded") func updateChangesACopyAndIsRecorded() throws
    {
        let original = content()
        let provider = Provider()
        let updated = try original.updating(from: provider)
        #expect([updated.title, updated.body, original.title] == ["Anne", "Hello", "Chat"])
        #expect(updated.updatedBy === provider && original.updatedBy == nil)
        #expect(!(updated is UNMutableNotificationContent))
        #expect((updated.copy() as? UNNotificationContent)?.updatedBy === provider)
    }

    @Test("A mutable copy keeps the update, as published apps rely on it")
    func mutableCopyKeepsTheUpdate() throws {
        let provider = Provider()
        let copy = try #require(
            try content().updating(from: provider).mutableCopy() as? UNMutableNotificationContent)
        #expect(copy.title == "Anne")
        #expect(copy.updatedBy === provider)
    }

    @Test("A provider may throw or change nothing") func providerMayThrowOrChangeNothing() throws {
        #expect(throws: Refusal.self) { try content().updating(from: RefusingProvider()) }
        let updated = try content().updating(from: ForeignProvider())
        #expect(updated.title == "Chat")
        #expect(updated.updatedBy is ForeignProvider)
    }

    // MARK: Attachments

    private func attach(_ name: String, hint: Any? = nil) throws -> UNNotificationAttachment {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString + name)
        try Data([0]).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try UNNotificationAttachment(
            identifier: "1", url: url,
            options: hint.map { [UNNotificationAttachmentOptionsTypeHintKey: $0] })
    }

    @Test("An attachment's type comes from the file name or the hint")
    func attachmentsTypeComesFromTheFileNameOrTheHint() throws {
        #expect(try attach(".png").type == "public.png")
        #expect(try attach(".JPEG").type == "public.jpeg")
        #expect(try attach("", hint: "public.png").type == "public.png")
        #expect(try attach(".bin", hint: "public.mp3").type == "public.mp3")
        for name in ["", ".bin", ".txt"] {
            #expect(throws: CocoaError.self) { try attach(name) }
        }
        #expect(throws: CocoaError.self) { try attach(".png", hint: "public.text") }
        #expect(throws: CocoaError.self) { try attach(".png", hint: 1) }
    }

    @Test("Only an existing file can be attached") func onlyAnExistingFileCanBeAttached() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString + ".png")
        #expect(throws: (any Error).self) {
            try UNNotificationAttachment(identifier: "1", url: directory, options: nil)
        }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        #expect(throws: CocoaError.self) {
            try UNNotificationAttachment(identifier: "1", url: directory, options: nil)
        }
        let web = try #require(URL(string: "https://example.com/a.png"))
        #expect(throws: (any Error).self) {
            try UNNotificationAttachment(identifier: "1", url: web, options: nil)
        }
    }

    // MARK: Optional methods

    private final class Silent: NSObject, UNUserNotificationCenterDelegate,
        UNNotificationContentExtension
    {
        func didReceive(_ notification: UNNotification) {}
    }

    @Test("A missing delegate method shows nothing") func missingDelegateMethodShowsNothing() {
        let notification = UNNotification(
            date: Date(),
            request: UNNotificationRequest(identifier: "1", content: content(), trigger: nil))
        let response = UNNotificationResponse(
            notification: notification, actionIdentifier: UNNotificationDefaultActionIdentifier)
        let center = UNUserNotificationCenter()
        var shown: [UNNotificationPresentationOptions] = []
        var taps = 0
        var choices: [UNNotificationContentExtensionResponseOption] = []
        Silent().userNotificationCenter(center, willPresent: notification) { shown.append($0) }
        Silent().userNotificationCenter(center, didReceive: response) { taps += 1 }
        Silent().didReceive(response) { choices.append($0) }
        #expect(shown == [[]] && taps == 1 && choices == [.dismissAndForwardAction])
    }

    @Test("A string without a table is its key") func stringWithoutATableIsItsKey() {
        #expect(
            NSString.localizedUserNotificationString(forKey: "no key", arguments: nil) == "no key")
        #expect(
            NSString.localizedUserNotificationString(forKey: "%@ of %@", arguments: [1, "two"])
                == "1 of two")
        #expect(
            NSString.localizedUserNotificationString(forKey: "%@ of %@", arguments: [1])
                == "1 of %@")
    }
}
#endif

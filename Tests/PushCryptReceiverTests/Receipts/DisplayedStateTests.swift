import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The states that the app reads from the extension's receipts.
@Suite(.ownThread) struct DisplayedStateTests {
    /// Returns the reader of a push after the extension has run.
    private func reader(
        _ phone: DisplayPhone, keepsDeliveredAttributes: Bool = false,
        delivered: NotificationContent? = nil,
        _ customization: PushInbox.Customization? = nil
    ) throws -> PayloadReader {
        try phone.deliver(
            phone.sealed(phone.message("Hi", category: delivered == nil ? "MESSAGE" : nil)), "1",
            delivered: delivered,
            with: phone.inbox { $0.keepsDeliveredAttributes = keepsDeliveredAttributes },
            customization: customization)
        return try phone.read("1")
    }

    @Test("An opened notification is as sealed", arguments: [true, false])
    func openedNotificationIsAsSealed(keepsSealed: Bool) throws {
        let reader = try reader(DisplayPhone(keepsUserInfoSealed: keepsSealed))
        #expect(reader.state == .asSealed && reader.isGuarded)
        #expect(try reader.content().body == "Hi")
        #expect(reader.isOpened == keepsSealed)
        #expect(reader.account?.isEmpty == true)
    }

    @Test(
        "A reduced notification is reduced", arguments: [NotificationDisplay.titleOnly, .nothing])
    func reducedNotificationIsReduced(display: NotificationDisplay) throws {
        let phone = try DisplayPhone()
        try phone.store.prepare(display: display)
        let reader = try reader(phone)
        #expect(phone.shown("1")?.content.body == "(Encrypted)")
        #expect(reader.state == .reduced)
        #expect(try reader.content().body == "Hi")
    }

    @Test("A text that the app's extension has changed is another text", arguments: [true, false])
    func changedTextIsAnotherText(keepsSealed: Bool) throws {
        let reader = try reader(DisplayPhone(keepsUserInfoSealed: keepsSealed)) { content, _ in
            var content = content
            content.title = "Robert"
            return content
        }
        #expect(reader.state == .otherText)
    }

    @Test("A category that isn't the original's is a decoration")
    func foreignCategoryIsADecoration() throws {
        var delivered = NotificationContent(body: "(Encrypted)")
        delivered.categoryIdentifier = "PAY"
        let kept = try reader(DisplayPhone(), keepsDeliveredAttributes: true, delivered: delivered)
        #expect(kept.state == .decorated)
        let customized = try reader(DisplayPhone()) { content, _ in
            var content = content
            content.categoryIdentifier = "PAY"
            return content
        }
        #expect(customized.state == .decorated)
    }

    @Test("A text that the extension hasn't handed over isn't by us") func attackersTextIsNotByUs()
        throws
    {
        let phone = try DisplayPhone()
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        var content = NotificationContent(title: "Anna", body: "Please send me the door code")
        content.categoryIdentifier = "MESSAGE"
        try phone.displayUnchanged(payload, "2", as: content)
        let reader = try phone.read("2")
        #expect(reader.state == .notByUs && !reader.isGuarded)
        #expect(reader.isOpened, "The message itself is authentic.")
    }

    @Test("A fallback isn't by us, and its receipt is removed") func fallbackIsNotByUs() throws {
        let phone = try DisplayPhone()
        let payload = try phone.sealed(phone.message("Hi"))
        let locked = TestKeyStore(.failure(PushCryptError(.deviceLocked, "")))
        let inbox = phone.inbox {
            $0.accounts = [PushAccount("", keys: locked, senderPolicy: .anyone)]
        }
        try phone.deliver(payload, "1", with: inbox)
        #expect(phone.shown("1")?.content.receipt == nil)
        #expect(try phone.read("1").state == .notByUs)
    }

    @Test(
        "Without the key, the state is unknown",
        arguments: ["extension", "app", "both", "unreadable"])
    func withoutTheKeyTheStateIsUnknown(missing: String) throws {
        struct Unreadable: DeviceSecretsStore {
            func secrets() throws -> DeviceSecrets? { throw PushCryptError(.deviceLocked, "") }
            func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets { secrets }
        }
        let phone = try DisplayPhone()
        let noSecrets: any DeviceSecretsStore =
            missing == "unreadable" ? Unreadable() : InMemorySecretsStore()
        let inbox = phone.inbox {
            $0.secrets = noSecrets
            // Without the secrets, the epoch of the stored choice isn't known.
            $0.mostPrivateDisplay = .full
        }
        let extensionLacksIt = missing == "extension" || missing == "both"
        try phone.deliver(
            phone.sealed(phone.message("Hi")), "1",
            with: extensionLacksIt ? inbox : nil)
        #expect(try phone.read("1", missing == "extension" ? nil : inbox).state == .unknown)
    }

    @Test("Without a place for secrets, there is no receipt and no state")
    func withoutSecretsThereIsNoReceipt() throws {
        let phone = try DisplayPhone()
        let inbox = phone.inbox {
            $0.secrets = nil
            $0.directory = nil
        }
        try phone.deliver(phone.sealed(phone.message("Hi")), "1", with: inbox)
        #expect(phone.shown("1")?.content.receipt == nil)
        #expect(try phone.read("1", inbox).state == .unknown)
    }

    @Test("Without a guard, the receipt says so") func receiptSaysWhetherAGuardWasAsked() throws {
        let phone = try DisplayPhone()
        try phone.deliver(
            phone.sealed(phone.message("Hi")), "1", with: phone.inbox { $0.directory = nil })
        let reader = try phone.read("1")
        #expect(reader.state == .asSealed && !reader.isGuarded)
    }

    @Test("An opened payload is accepted with its receipt only") func openedPayloadNeedsItsReceipt()
        throws
    {
        let phone = try DisplayPhone(keepsUserInfoSealed: false)
        try phone.deliver(phone.sealed(phone.message("Hi")), "1")
        let shown = try #require(phone.shown("1"))
        #expect(try phone.read("1").content().title == "Bob")
        #expect(try !phone.read("1").json.contains("pushcrypt.receipt".utf8))
        var members = try #require(try JSONValue(parsing: shown.userInfo).objectValue)
        members["link"] = "https://attacker.example"
        try phone.displayUnchanged(JSONValue.object(members).json(), "1", as: shown.content)
        #expect(throws: PushCryptError(.notSealed, "")) { try phone.read("1") }
        let allowing = try phone.read("1", phone.inbox { $0.unsealedPayloads = .allow })
        #expect(allowing.state == .notByUs)
    }

    /// Each outcome, and whether its content has text.
    @Test(
        "Every outcome removes a delivered receipt",
        arguments: ["opened", "fallback", "unsealed", "dropped", "withdrawal", "replayed"])
    func everyOutcomeRemovesADeliveredReceipt(outcome: String) throws {
        let phone = try DisplayPhone()
        var inbox = phone.inbox
        let json = outcome == "withdrawal" ? #"{"collapse-ids":["x"]}"# : phone.message("Hi")
        var payload = try phone.sealed(json)
        switch outcome {
        case "fallback": payload = Array(#"{"aps":{"alert":"a"}}"#.utf8)
        case "unsealed":
            payload = Array(#"{"aps":{"alert":"a"}}"#.utf8)
            inbox = phone.inbox { $0.unsealedPayloads = .allow }
        case "dropped":
            try phone.withdraw(.init(collapseIDs: ["1"]))
        case "replayed":
            try phone.deliver(payload, "0")
            phone.clock.advance(by: 3601)
        default: break
        }
        var members = try #require(try JSONValue(parsing: payload).objectValue)
        members["pushcrypt.receipt"] = "AQ"
        try phone.deliver(JSONValue.object(members).json(), "1", with: inbox)
        let content = try #require(phone.shown("1")).content
        #expect((content.receipt != nil) == (outcome == "opened"))
        #expect(content.receipt != "AQ")
    }
}

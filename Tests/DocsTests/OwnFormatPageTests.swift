import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

@testable import PushCryptReceiver

/// The page's decryptor, which the app has already: the base64 of a nonce and a secretbox.
nonisolated struct Decryptor: Sendable {
    static let secret = [UInt8](repeating: 7, count: 32)

    struct WrongSecret: Error {}

    func decrypted(_ text: String) throws -> Data {
        guard let bytes = Data(base64Encoded: text),
            let opened = RawSodium.openSecretbox([UInt8](bytes), Self.secret)
        else { throw WrongSecret() }
        return Data(opened)
    }
}

nonisolated struct HomeMessage: Decodable {
    let id: String
    let title: String
    let message: String
    let tag: String?
}

nonisolated struct HomeOpener: ForeignOpener {
    let name = "home"

    func open(_ push: ForeignPush) async throws -> ForeignOriginal? {
        guard let text = push["encrypted_data"]?.stringValue else { return nil }
        let json = try Decryptor().decrypted(text)
        let message = try JSONDecoder().decode(HomeMessage.self, from: json)
        if message.message == "clear_notification", let tag = message.tag {
            return .withdrawal(
                Withdrawal(collapseIDs: [tag]), isAuthenticated: true, id: message.id)
        }
        let payload = Payload(
            title: message.title, body: message.message, sound: .standard,
            custom: ["tag": .string(message.tag ?? "")])
        return .message(try payload.json(), isAuthenticated: true, id: message.id)
    }
}

nonisolated func pushConfiguration() -> PushConfiguration {
    var configuration = PushConfiguration.infoPlist
    configuration.foreignOpeners = [HomeOpener()]
    return configuration
}

nonisolated class HomeService: SealedNotificationService {
    override var configuration: PushConfiguration { pushConfiguration() }
}

/// The code of the page about an app's own format.
@Suite(.ownThread) struct OwnFormatPageTests {
    private let scratch: Scratch
    private let inbox: PushInbox

    init() throws {
        scratch = try Scratch()
        var configuration = pushConfiguration()
        // A test's process has no Info.plist.
        configuration.accounts = []
        configuration.problems = []
        configuration.directory = scratch.path
        configuration.secrets = InMemorySecretsStore()
        inbox = PushInbox(configuration)
        if let error = inbox.prepare() { throw error }
    }

    private func push(_ message: [String: String], _ nonce: UInt8 = 1) throws -> [UInt8] {
        let json = [UInt8](try JSONEncoder().encode(message))
        let box = RawSodium.secretbox(
            json, nonce: [UInt8](repeating: nonce, count: 24), Decryptor.secret)
        let text = Data(box).base64EncodedString()
        return Array(
            #"{"aps":{"alert":"A new message","mutable-content":1},"encrypted_data":"\#(text)"}"#
                .utf8)
    }

    private func shown(_ payload: [UInt8]) throws -> NotificationContent {
        let recorder = ContentHandlerRecorder()
        inbox.handle(try DeliveredNotification(json: payload), handler: recorder.handler)
        return try #require(recorder.wait())
    }

    @Test(
        "The opener's message is displayed, the app counts it, and a wrong secret displays the fallback"
    )
    func messageIsDisplayed() throws {
        let door = ["id": "1", "title": "Door", "message": "It's open.", "tag": "door"]
        let content = try shown(push(door))
        #expect(content.title == "Door" && content.body == "It's open.")
        var wrong = try JSONValue(parsing: push(door)).objectValue ?? [:]
        wrong["encrypted_data"] = .string(String(repeating: "A", count: 80))
        #expect(
            try shown(JSONEncoder().encode(JSONValue.object(wrong)).map { $0 }).body
                == "(Encrypted)")
        var lines: [String] = []
        func print(_ line: String) { lines.append(line) }
        let summary = try inbox.summary()
        print("\(summary.foreign["home"] ?? 0) of \(summary.opened) messages had the old format.")
        #expect(lines == ["1 of 1 messages had the old format."])
        #expect(summary.reasons == [.foreignOpenerFailed: 1])
    }

    @Test("A withdrawal displays nothing of the message") func withdrawalIsOpened() async throws {
        let clear = ["id": "2", "title": "", "message": "clear_notification", "tag": "door"]
        let original = try await HomeOpener().open(foreign(try push(clear)))
        #expect(original?.withdrawal?.collapseIDs == ["door"])
    }

    private func foreign(_ payload: [UInt8]) throws -> ForeignPush {
        ForeignPush(members: try JSONValue(parsing: payload).objectValue ?? [:], identifier: "door")
    }

    @Test("The extension opens the format, too") func extensionOpens() throws {
        let userInfo = try SystemDelivery.userInfo(
            push(["id": "3", "title": "Door", "message": "It's open."]))
        let service = HomeService()
        let content = try SystemDelivery.content(SystemDelivery.request(userInfo)) {
            service.didReceive($0, withContentHandler: $1)
        }
        #expect(content.body == "It's open.")
    }
}

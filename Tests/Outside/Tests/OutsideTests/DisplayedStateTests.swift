import Foundation
import PushCryptTesting
import Testing

/// What a client writes around receipts: a store of its own for the secrets, and the check of a
/// reply.
@Suite struct DisplayedStateTests {
    /// Secrets in a place of the client.
    private final class Store: DeviceSecretsStore, @unchecked Sendable {
        private let lock = NSLock()
        private var bytes: Data?

        func secrets() throws -> DeviceSecrets? {
            try lock.withLock { try bytes.map { try DeviceSecrets(stored: $0) } }
        }

        func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets {
            try lock.withLock { bytes = try bytes ?? secrets.stored() }
            return try self.secrets() ?? secrets
        }
    }

    @Test("A reply to a text that no extension has handed over is refused") func replyIsRefused()
        throws
    {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let key = try TestKeys.device()
        var configuration = PushConfiguration(keys: InMemoryKeyStore([key]), senderPolicy: .anyone)
        configuration.directory = directory.path
        configuration.secrets = Store()
        let inbox = PushInbox(configuration)
        #expect(inbox.prepare() == nil)
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"Hi"}}"#.utf8, for: key.publicKey)
        let userInfo = try #require(
            try JSONSerialization.jsonObject(with: push.data) as? [String: Any])
        let displayed = DeliveredNotification(
            content: NotificationContent(title: "Anna", body: "The door code?"), userInfo: userInfo,
            identifier: "1",
            date: Date())
        let response = inbox.response("REPLY", text: "4711", to: displayed)
        #expect(!response.isAccepted(allowing: [.otherText, .decorated]))
        #expect(response.state == .notByUs && response.text == "4711")
        #expect(response.reader?.account == "" && response.reader?.isGuarded == false)
        #expect(DisplayedState.trusted == [.asSealed, .reduced])
    }
}

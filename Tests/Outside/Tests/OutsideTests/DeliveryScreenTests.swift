import Foundation
import PushCryptReceiver
import PushCryptSender
import PushCryptTesting
import Testing

/// An app's screen about its notifications, and its customization of them.
@Suite struct DeliveryScreenTests {
    private static let json =
        #"{"aps":{"alert":{"title":"Anna","body":"See you at 8."},"sound":"default","badge":3}}"#

    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        UUID().uuidString)

    private func push(for key: RecipientPrivateKey) throws -> DeliveredNotification {
        let push = try Sealer(.signed(by: TestKeys.sender())).seal(
            json: Self.json, for: key.publicKey)
        return try DeliveredNotification(json: push.payload)
    }

    private func configuration(_ keys: [RecipientPrivateKey]) throws -> PushConfiguration {
        let policy = SenderPolicy.signed(by: try TestKeys.sender().publicKey)
        return PushConfiguration(keys: InMemoryKeyStore(keys), senderPolicy: policy)
    }

    /// Prints all facts of a summary, as an app's settings do.
    private static func screen(_ summary: DeliverySummary) -> [String] {
        var lines = [
            "Opened: \(summary.opened)", "Dropped: \(summary.dropped)",
            "Not sealed: \(summary.unsealed)",
            "Fallback: \(summary.fallback)", "Unfinished: \(summary.unfinished)",
            "Not run: \(summary.notRun)",
            "Opened last: \(summary.lastSuccess == nil ? "never" : "yes")",
            "Ran last: \(summary.lastRun == nil ? "never" : "yes")",
            "Since: \(summary.since == nil ? "never" : "yes")",
        ]
        lines += summary.reasons.map { "\($0.key): \($0.value)" }.sorted()
        lines += summary.diagnoses.map { "\($0.count) × \($0.finding): \(!$0.advice.isEmpty)" }
        return lines
    }

    @Test("A screen prints a delivery summary") func summary() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let secrets = InMemorySecretsStore()
        let key = try TestKeys.device()
        func inbox(_ keys: [RecipientPrivateKey]) throws -> PushInbox {
            var configuration = try configuration(keys)
            configuration.directory = directory.path
            configuration.secrets = secrets
            return PushInbox(configuration)
        }
        let app = try inbox([key])
        #expect(app.prepare() == nil)
        for keys in [[key], []] {
            let recorder = ContentHandlerRecorder()
            // An extension's own, with the same directory.
            try inbox(keys).handle(try push(for: key), handler: recorder.handler)
            #expect(recorder.wait()?.body == (keys.isEmpty ? "(Encrypted)" : "See you at 8."))
        }
        // The log is written before the content is handed over.
        #expect(
            Self.screen(try app.summary()) == [
                "Opened: 1", "Dropped: 0", "Not sealed: 0", "Fallback: 1", "Unfinished: 0",
                "Not run: 0", "Opened last: yes", "Ran last: yes", "Since: yes", "unknown-key: 1",
                "1 × unknown-key: true",
            ])
    }

    @Test("A customization reads and changes all that will be displayed") func customization()
        throws
    {
        let key = try TestKeys.device()
        let recorder = ContentHandlerRecorder()
        var configuration = try configuration([key])
        configuration.keepsUserInfoSealed = false
        PushInbox(configuration).handle(
            try push(for: key),
            customization: { content, push in
                var content = content
                if content.sound?.name == nil, content.sound?.isCritical == false {
                    content.sound = .normal("anna.caf")
                }
                content.badge = content.badge.map { $0 + 1 }
                content.subtitle = push.signer == nil ? "" : "Verified"
                content.categoryIdentifier = "message"
                content.threadIdentifier = "anna"
                content.interruptionLevel = .timeSensitive
                content.relevanceScore = 0.5
                return content
            }, handler: recorder.handler)
        let content = try #require(recorder.wait())
        #expect(content.sound == .normal("anna.caf") && content.sound?.volume == nil)
        #expect(
            content.badge == 4 && content.subtitle == "Verified" && content.body == "See you at 8.")
        #expect(content.categoryIdentifier == "message" && content.threadIdentifier == "anna")
        #expect(content.interruptionLevel == .timeSensitive && content.relevanceScore == 0.5)
        #expect(content.originalPayload?["aps"]?["badge"] == 3)
    }
}

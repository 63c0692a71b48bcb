import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// The page about `(Encrypted)` shows what happens.
@Suite final class DiagnosisPageTests {
    private let page: Document
    private let folder: String

    init() throws {
        page = try Document("Docs/Diagnosis.md")
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("pushcrypt-docs-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func theCodeIsTheCodeThatIsCompiled() throws {
        #expect(page.blocks("swift") == [try Document.snippet("DiagnosisSnippet")])
    }

    @Test func theCodeSaysWhatIsWrong() throws {
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let content = UNMutableNotificationContent()
        content.userInfo = try #require(try JSONSerialization.jsonObject(with: push.data) as? [String: Any])
        let request = UNNotificationRequest(identifier: "1", content: content, trigger: UNPushNotificationTrigger())
        var lines: [String] = []
        try DiagnosisSnippet.run(folder, [UNNotification(date: Date(), request: request)]) { lines.append($0) }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("extension-did-not-run, 1 times: ") == true)
    }

    @Test func everyFindingIsOne() {
        let findings = page.table("finding | what it means | what to do").compactMap { $0.first?.quoted }
        #expect(findings.count >= 8)
        for finding in findings where !finding.hasPrefix("extension-did-not-") {
            let source = (try? Document("Sources/PushCryptCore/ErrorCode.swift").text) ?? ""
            #expect(source.contains("Self(\"\(finding)\")"), "\(finding)")
        }
    }

    @Test func theReportIsWhatTheSummaryEncodes() throws {
        let shown = try #require(page.blocks("json").first)
        let members = try #require(try JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: Any])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // A log with each kind of entry, and all names that there can be.
        let log = DeliveryLog(inSharedFolder: folder)
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let recorder = ContentHandlerRecorder()
        NotificationHandler(
            NotificationOpener(Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)), outcomes: log
        ).handle(try DeliveredNotification(json: push.payload), handler: recorder.handler)
        #expect(recorder.wait()?.body == "a")
        var entries: [DeliveryLogEntry] = []
        for _ in 0..<1000 where entries.first?.outcome != .opened {
            entries = try log.entries()
            usleep(1000)
        }
        let encoded = try encoder.encode(DeliverySummary(entries))
        let names = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
        #expect(Set(names.keys) == Set(members.keys))
        #expect(String(decoding: encoded, as: UTF8.self).contains(#""opened":1"#))
    }
}

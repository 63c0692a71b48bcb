#if APNs
import Foundation
import Logging
import PushCryptAPNs
import PushCryptKeyring
import PushCryptSystem
import PushCryptAPNsTesting
import Testing

@Suite("Health check and logs") struct CheckTests {
    @Test(
        "The check succeeds if the credentials are accepted, and sends no push",
        arguments: [
            ("BadDeviceToken", 400), ("Unregistered", 410),
        ]) func healthy(reason: String, status: Int) async throws
    {
        try await Fixture.run(sealedOnly: true, script: { _ in .answer(status, reason) }) {
            fixture in
            try await fixture.client.check(topic: "com.example.app")
            #expect(fixture.server.record.accepted == 0)
            #expect(fixture.server.record.requests == 1)
        }
    }

    @Test("The check fails with the error of the credentials") func unhealthy() async throws {
        var options = TestAPNsServer.Options()
        options.keys = [.second]
        try await Fixture.run(options) { fixture in
            await #expect { try await fixture.client.check(topic: "com.example.app") } throws: {
                ($0 as? APNsError)?.apnsReason == .invalidProviderToken
            }
        }
    }

    @Test("The check refuses a topic that isn't valid, and asks no server") func oddTopic()
        async throws
    {
        try await Fixture.run { fixture in
            await #expect { try await fixture.client.check(topic: "com.example\r\napp") } throws: {
                ($0 as? APNsError)?.code == .invalidHeader
            }
            #expect(fixture.server.record.requests == 0)
        }
    }

    @Test("Logs have the ID of the push, and neither content nor tokens") func logs() async throws {
        let lines = LockedValue<[String]>([])
        let logger = Logger(label: "test") { _ in Recorder(lines: lines) }
        try await Fixture.run(
            logger: logger,
            script: {
                $0.attempt == 1 ? .answer(503, "ServiceUnavailable") : .answer(400, "BadTopic")
            }
        ) {
            fixture in
            let error = try #require(
                await fixture.failure(Fixture.push(#"{"aps":{"alert":"secret"}}"#)))
            let log = lines.withLock { $0 }
            #expect(log.count == 2)
            #expect(log.allSatisfy { $0.contains(error.id.uuidString) })
            #expect(log[0].contains("notice") && log[1].contains("warning"))
            let token = try #require(fixture.server.record.tokens.first)
            for secret in ["secret", Fixture.device, token, "com.example.app"] {
                #expect(!log.joined().contains(secret) && !"\(error)".contains(secret))
            }
        }
    }

    private struct Recorder: LogHandler {
        let lines: LockedValue<[String]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }
    }
}
#endif

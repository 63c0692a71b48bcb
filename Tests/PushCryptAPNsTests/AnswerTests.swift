#if APNs
import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

@Suite("Answers of APNs") struct AnswerTests {
    struct Row: Decodable, CustomTestStringConvertible {
        let status: Int
        let reason: String
        let code: String
        let advice: String
        let requests: Int
        var testDescription: String { reason }
    }

    /// Apple's table, with the advice and the number of requests that a client sends.
    static let rows: [Row] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent(
                "Vectors/answers.json")
        let rows = (try? JSONDecoder().decode([Row].self, from: Data(contentsOf: file))) ?? []
        return rows.count >= 32 ? rows : []
    }()

    private static let advices: [String: APNsError.Advice] = [
        "delete": .deleteToken, "retry": .retry, "credentials": .checkCredentials,
        "fix": .fixRequest,
    ]

    @Test("The table is complete") func tableIsComplete() {
        #expect(Self.rows.count == 32)
        #expect(Set(Self.rows.map(\.reason)).count == 32)
        #expect(APNsError.Reason.all.map(\.rawValue) == Self.rows.map(\.reason).sorted())
        #expect(Set(APNsError.Reason.all.map(\.explanation)).count == 32)
    }

    @Test(
        "Each answer has its code and advice, and only those that can change are asked for again",
        arguments: rows)
    func answer(row: Row) async throws {
        let script: Script = { _ in
            .answer(row.status, row.reason, timestamp: row.status == 410 ? 1_700_000_000_123 : nil)
        }
        try await Fixture.run(script: script) { fixture in
            let error = try #require(await fixture.failure())
            #expect(error.code.rawValue == row.code)
            #expect(error.status == row.status)
            #expect(error.apnsReason?.rawValue == row.reason)
            #expect(error.advice == Self.advices[row.advice])
            #expect(
                error.apnsReason?.advice == error.advice
                    && error.apnsReason?.explanation == error.reason)
            #expect(error.apnsReason?.code == error.code)
            #expect(
                error.timestamp
                    == (row.status == 410 ? Date(timeIntervalSince1970: 1_700_000_000.123) : nil))
            #expect(error.reason.hasSuffix(".") && error.description.contains("(\(row.status))"))
            let record = fixture.server.record
            #expect(record.requests == row.requests)
            #expect(record.tallies.count == 1 && record.tallies[error.id]?.requests == row.requests)
        }
    }

    @Test(
        "An answer that Apple doesn't list has a code, too",
        arguments: [
            (418, "IAmATeapot", "i-am-a-teapot", APNsError.Advice.fixRequest),
            (599, "NewState", "new-state", .retry),
        ]) func unknownReason(status: Int, reason: String, code: String, advice: APNsError.Advice)
        async throws
    {
        try await Fixture.run(script: { _ in .answer(status, reason) }) { fixture in
            let error = try #require(await fixture.failure())
            #expect(error.code.rawValue == code)
            #expect(error.advice == advice)
            #expect(error.reason.contains(reason))
        }
    }

    @Test(
        "A reason that isn't a word is left out",
        arguments: ["", "two words", "a\\nb", "\u{202E}abc", String(repeating: "x", count: 65)])
    func oddReason(reason: String) async throws {
        try await Fixture.run(script: { _ in .answer(400, reason) }) { fixture in
            let error = try #require(await fixture.failure())
            #expect(error.code.rawValue == "status-400")
            #expect(error.apnsReason == nil)
        }
    }

    @Test("An accepted push has a receipt with the ID that was sent") func receipt() async throws {
        try await Fixture.run { fixture in
            let id = UUID()
            var headers = APNsHeaders(collapseID: "news", topic: "com.example.app")
            headers.id = id
            headers.expiration = .at(Date(timeIntervalSince1970: 2_000_000_000))
            let receipt = try await fixture.client.send(
                Fixture.push(headers: headers), to: Fixture.device)
            #expect(receipt.id == id && receipt.attempts == 1)
            #expect(receipt.uniqueID != nil)
            let request = try #require(fixture.server.record.pushes.first)
            #expect(request.payload == Array(#"{"aps":{"alert":"-"}}"#.utf8))
            #expect(request.deviceToken == Fixture.device)
            let sent = request.headers.filter { $0.key.hasPrefix("apns-") }
            #expect(
                sent == [
                    "apns-id": id.uuidString.lowercased(), "apns-collapse-id": "news",
                    "apns-topic": "com.example.app",
                    "apns-push-type": "alert", "apns-priority": "10",
                    "apns-expiration": "2000000000",
                ])
            #expect(fixture.server.record.violations.isEmpty)
        }
    }
}
#endif

import Foundation
import PushCryptLint
import PushCryptSender
import Testing

/// The facts of a sealed payload that a server logs, stores or sends.
@Suite struct SealingFactsTests {
    private let json =
        #"{"aps":{"alert":{"title":"Anna","body":"\#(String(repeating: "word ", count: 800))"}}}"#

    @Test("A server logs the length, the truncations and the headers of a prepared push")
    func preparedPush() throws {
        let sealer = Sealer(.anonymous, truncatableFields: [.body])
        let prepared = try sealer.prepare(
            json: json, headers: APNsHeaders(topic: "com.example.app"))
        #expect(prepared.payloadLength <= prepared.headers.pushType.maximumPayloadLength)
        #expect(prepared.headers.topic == "com.example.app" && prepared.headers.pushType == .alert)
        let truncation = try #require(prepared.truncations.first)
        #expect(
            truncation.field == .body && truncation.keptCharacters > 0
                && truncation.removedCharacters > 0)
        #expect(
            try prepared.seal(for: RecipientPrivateKey().publicKey).payload.count
                == prepared.payloadLength)
    }

    @Test("A server prints the budget of a payload by member") func budget() throws {
        let budget = try Sealer(.anonymous).budget(json: #"{"aps":{"alert":"Hello"},"news":[1,2]}"#)
        #expect(budget.used + budget.remaining == budget.capacity)
        #expect(budget.members.map { "\($0.location): \($0.bytes)" }.count >= 2)
    }

    @Test("A server prints what a check of a payload found") func findings() throws {
        let lint = try Sealer(.anonymous).lint(json: #"{"aps":{"alert":{"title":5}}}"#)
        let finding = try #require(lint.findings.first)
        #expect(
            finding.location.pointer == "/aps/alert/title" && !finding.message.isEmpty
                && !finding.fix.isEmpty)
        #expect(finding.rule.severity == .error && lint.length <= lint.limit && lint.omitted == 0)
    }

    @Test("A server reads numbers and media types") func values() throws {
        let payload = try JSONValue(parsing: #"{"count":3,"ratio":0.5}"#)
        guard case .object(let members) = payload, case .number(let count)? = members["count"],
            case .number(let ratio)? = members["ratio"]
        else {
            Issue.record("The members aren't numbers.")
            return
        }
        #expect(count.int == 3 && ratio.double == 0.5 && ratio.int == nil)
        #expect(MediaType.supported.contains(.png) && MediaType.png.maximumLength > 0)
        #expect(
            PushType.allCases.contains(.liveActivity) && !PushType.complication.rawValue.isEmpty)
    }

    @Test("A server's record of a device is stored and read, with its date") func recipient() throws
    {
        let key = try RecipientPrivateKey().publicKey
        let registration = try Registration(
            parsing: #"{"created":1767225600,"generation":1,"key":\#(key.jwk),"lifetime":604800}"#)
        #expect(registration.created == Date(timeIntervalSince1970: 1_767_225_600))
        let recipient = try Recipient(
            registration: registration, deviceToken: String(repeating: "0a", count: 32))
        let stored = try JSONDecoder().decode(Recipient.self, from: JSONEncoder().encode(recipient))
        #expect(stored == recipient && stored.registered == recipient.registered)
    }
}

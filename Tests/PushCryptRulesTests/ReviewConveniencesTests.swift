import Foundation
import PushCryptTesting
import Testing

/// A review and a budget are the same, whatever a payload is given as.
@Suite struct ReviewConveniencesTests {
    private let payload = Payload(title: "t", body: "b", custom: ["k": .null])
    private let sealer = Sealer(.anonymous, truncatableFields: [.body])

    @Test func aReviewIsTheSame() throws {
        let json = try payload.json()
        let review = try sealer.review(json: json)
        #expect(review.findings.map(\.rule) == [.nullValue])
        #expect(try sealer.review(json: Data(json)) == review)
        #expect(try sealer.review(payload) == review)
    }

    @Test func aBudgetIsTheSame() throws {
        let json = try payload.json()
        let budget = try sealer.budget(json: json)
        #expect(try sealer.budget(json: Data(json)) == budget)
        #expect(try sealer.budget(payload) == budget)
    }

    @Test func whatTheSealerCutsIsNotTooLong() throws {
        let long = Payload(title: "t", body: String(repeating: "b", count: 5000))
        #expect(try sealer.review(long).findings.filter { $0.rule == .payloadSize } == [])
        #expect(try Sealer(.anonymous).review(long).findings.map(\.rule) == [.payloadSize])
        let title = try Sealer(.anonymous, truncatableFields: [.title]).review(long)
        #expect(title.findings.map(\.rule) == [.payloadSize])
        #expect(throws: Never.self) { try sealer.prepare(long) }
    }

    @Test func aPropertyListMayBeData() throws {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>NSExtension</key><dict>\
            <key>NSExtensionAttributes</key><dict><key>UNNotificationExtensionCategory</key><string>C</string></dict>\
            </dict></dict></plist>
            """
        #expect(try ContentExtension(parsing: Data(list.utf8)).categories == ["C"])
    }
}

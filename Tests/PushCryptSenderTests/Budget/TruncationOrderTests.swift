import Foundation
import Testing

@testable import PushCryptSender

/// Tests of the order in which texts are truncated.
@Suite struct TruncationOrderTests {
    static let texts: [AlertField: String] = [
        .title: "Card 👩‍👩‍👧 payment", .subtitle: "Kiosk \"Nord\" 🇩🇪🇫🇷", .body: "12.50 € at 09:41,\nGrüße",
    ]

    static let orders: [[AlertField]] = [
        [.title, .subtitle, .body], [.title, .body, .subtitle], [.subtitle, .title, .body],
        [.subtitle, .body, .title], [.body, .title, .subtitle], [.body, .subtitle, .title],
    ]

    private func payload(_ texts: [AlertField: String]) throws -> [UInt8] {
        let members = try AlertField.allCases.map { field in
            #""\#(field.rawValue)":\#(String(decoding: try shortestSpelling(of: texts[field] ?? ""), as: UTF8.self))"#
        }
        return Array(#"{"aps":{"alert":{\#(members.joined(separator: ","))}}}"#.utf8)
    }

    /// Returns the texts of a payload, as Foundation reads them.
    private func texts(in json: [UInt8]) throws -> [AlertField: String] {
        struct Message: Decodable {
            struct Aps: Decodable { let alert: [String: String] }
            let aps: Aps
        }
        let alert = try JSONDecoder().decode(Message.self, from: Data(json)).aps.alert
        return Dictionary(
            uniqueKeysWithValues: AlertField.allCases.map { ($0, alert[$0.rawValue] ?? "") })
    }

    @Test("The first field is used up before the next is truncated", arguments: orders)
    func theFirstFieldIsUsedUpBeforeTheNextIsTruncated(order: [AlertField]) throws {
        let original = try OriginalPayload(payload(Self.texts))
        let shortest = try payload([.title: "…", .subtitle: "…", .body: "…"])
        for limit in 0...original.bytes.count {
            let truncator = try Truncator(original, to: limit, fields: order)
            let left = try texts(in: truncator.original.bytes)
            #expect(truncator.original.bytes.count <= max(limit, shortest.count), "\(limit)")
            let cut = order.filter { left[$0] != Self.texts[$0] }
            #expect(cut == Array(order.prefix(cut.count)), "\(limit)")
            #expect(truncator.truncations.map(\.field) == cut, "\(limit)")
            for field in cut.dropLast() { #expect(left[field] == "…", "\(limit)") }
            guard let last = cut.last, let text = Self.texts[last] else { continue }
            let kept = Array((left[last] ?? "").dropLast())
            #expect(kept == Array(text.prefix(kept.count)) && left[last]?.last == "…", "\(limit)")
            #expect(truncator.truncations.last?.keptCharacters == kept.count, "\(limit)")
            #expect(
                truncator.truncations.last?.removedCharacters == text.count - kept.count, "\(limit)"
            )
            // One more character doesn't fit.
            var longer = left
            longer[last] = text.prefix(kept.count + 1) + (kept.count + 1 < text.count ? "…" : "")
            #expect(try payload(longer).count > limit, "\(limit)")
        }
    }

    @Test("A field that is not listed is not truncated") func aFieldThatIsNotListedIsNotTruncated()
        throws
    {
        let original = try OriginalPayload(payload(Self.texts))
        for field in AlertField.allCases {
            let truncator = try Truncator(original, to: 0, fields: [field])
            var expected = Self.texts
            expected[field] = "…"
            #expect(try texts(in: truncator.original.bytes) == expected)
        }
        let none = try Truncator(original, to: 0, fields: [])
        #expect(none.original.bytes == original.bytes && none.truncations.isEmpty)
    }

    @Test("A field that is listed twice is truncated once")
    func aFieldThatIsListedTwiceIsTruncatedOnce() throws {
        let original = try OriginalPayload(payload(Self.texts))
        let truncator = try Truncator(original, to: 0, fields: [.body, .body, .title, .body])
        #expect(truncator.truncations.map(\.field) == [.body, .title])
    }

    @Test("An alert that is a string is truncated as the body")
    func anAlertThatIsAStringIsTruncatedAsTheBody() throws {
        let original = try OriginalPayload(
            Array(#"{"aps":{"alert":"a long text"},"body":"a long text"}"#.utf8))
        let body = try Truncator(original, to: 0, fields: [.title, .subtitle, .body])
        #expect(
            String(decoding: body.original.bytes, as: UTF8.self)
                == #"{"aps":{"alert":"…"},"body":"a long text"}"#)
        #expect(
            body.truncations == [Truncation(field: .body, keptCharacters: 0, removedCharacters: 11)]
        )
        let others = try Truncator(original, to: 0, fields: [.title, .subtitle])
        #expect(others.original.bytes == original.bytes && others.truncations.isEmpty)
    }

    @Test(
        "Values that are not texts of the alert are unchanged",
        arguments: [
            #"{"body":"a long text"}"#, #"{"aps":{}}"#, #"{"aps":"a long text"}"#,
            #"{"aps":{"alert":null}}"#,
            #"{"aps":{"alert":["a long text"]}}"#, #"{"aps":{"alert":{}}}"#,
            #"{"aps":{"alert":{"title":""}}}"#,
            #"{"aps":{"alert":{"title":null,"subtitle":12345678901,"body":["a long text"]}}}"#,
            #"{"aps":{"alert":{"title":{"loc-key":"a long text"},"body":true}}}"#,
            #"{"aps":{"body":"a long text","alert":{"loc-key":"a long text","custom":{"body":"a long text"}}}}"#,
        ])
    func valuesThatAreNotTextsOfTheAlertAreUnchanged(json: String) throws {
        let original = try OriginalPayload(Array(json.utf8))
        let truncator = try Truncator(original, to: 0, fields: AlertField.allCases)
        #expect(truncator.original.bytes == original.bytes && truncator.truncations.isEmpty)
    }

    @Test("A missing field is skipped") func aMissingFieldIsSkipped() throws {
        let original = try OriginalPayload(
            Array(#"{"aps":{"alert":{"title":"a long title","body":7}}}"#.utf8))
        let truncator = try Truncator(original, to: 0, fields: [.body, .subtitle, .title])
        #expect(
            String(decoding: truncator.original.bytes, as: UTF8.self)
                == #"{"aps":{"alert":{"title":"…","body":7}}}"#)
    }

    @Test("No text is truncated because of escapes in another text")
    func noTextIsTruncatedBecauseOfEscapesInAnotherText() throws {
        let body = String(repeating: #"\u00e4"#, count: 900)
        let json = Array(
            #"{"aps":{"alert":{"title":"Neue Nachricht von Anne","body":"\#(body)"}}}"#.utf8)
        for order in [[AlertField.title, .body], [.body, .title]] {
            let push = try Sealer(.anonymous, padding: .none, truncatableFields: order).prepare(
                json: json)
            #expect(push.truncations.isEmpty)
        }
    }
}

import PushCryptTesting
import TestSupport

/// A generator of payloads of every push type with a filler of any length, the same in every run.
struct RandomPayload: RandomNumberGenerator {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func next() -> UInt64 { random.next() }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// Returns some of the elements, in random order.
    mutating func some<Element>(_ elements: [Element]) -> [Element] {
        elements.shuffled(using: &self).filter { _ in Bool.random(using: &self) }
    }

    /// Returns a payload without its filler.
    struct Frame {
        let type: PushType
        let before: String, after: String

        func json(filler count: Int) -> [UInt8] {
            Array((before + String(repeating: "x", count: count) + after).utf8)
        }
    }

    mutating func frame(_ type: PushType) -> Frame {
        let filler = (name: "filler", value: "\"\u{0}\"")
        let members: [(name: String, value: String)] =
            type == .liveActivity
            ? [("aps", object(liveActivity(filler)))]
            : some([
                ("k", text()), ("n", number()),
                ("\u{e9}\\\"", object([("", text()), ("\\u00fc", text())])),
                ("a.b", "null"),
            ])
                + [filler]
                + ([.voip, .location, .pushToTalk].contains(type) && Bool.random(using: &self)
                    ? [] : [("aps", object(aps(type)))])
        let parts = object(members.shuffled(using: &self)).split(separator: "\u{0}")
        return Frame(type: type, before: String(parts[0]), after: String(parts[1]))
    }

    private mutating func aps(_ type: PushType) -> [(name: String, value: String)] {
        switch type {
        case .alert:
            let alert = object(
                some([("title", text()), ("subtitle", text()), ("loc\\u002dkey", text())]) + [
                    ("body", text(1))
                ])
            return some([
                ("category", text()), ("thread-id", text()),
                ("sound", #"{"critical":1,"name":"a\/b","volume":0.50}"#),
                ("badge", pick(["0", "3", "1.0e1"])), ("interruption-level", "\"passive\""),
                ("relevance-score", "0.250"),
                ("target-content-id", text()), ("filter-criteria", text()),
                ("new-key", "{\"title\":1}"),
            ]) + [("alert", pick([alert, text(1)]))]
        case .background: return some([("category", text())]) + [("content-available", "1")]
        case .voip, .location, .pushToTalk: return some([("alert", text())])
        default: return []
        }
    }

    /// Returns a payload with its filler in the first sealed value.
    private mutating func liveActivity(_ filler: (String, String)) -> [(
        name: String, value: String
    )] {
        var sealed = [("content-state", object([filler]))]
        if Bool.random(using: &self) {
            sealed = [
                ("attributes", object([("a", text())])), ("content-state", object([("b", text())])),
            ]
            sealed.shuffle(using: &self)
            sealed[0].1 = object([filler])
            sealed.insert(("attributes-type", text(1)), at: Int.random(in: 0...2, using: &self))
        }
        let rest = [
            ("timestamp", number()), ("event", "\"update\""),
            ("alert", object([("title", text())])),
        ]
        return rest + sealed
    }

    private func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private mutating func number() -> String {
        pick(["1", "1.10", "-0.0e5", "12345678901234567890", "1e2"])
    }

    private mutating func text(_ least: Int = 0) -> String {
        let count = Int.random(in: least...12, using: &self)
        let pieces = (0..<count).map { _ in
            pick([
                "a", "é", "€", "👩‍👩‍👧", "\\n", "\\u0001", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\\"",
                " ",
            ])
        }
        return "\"" + pieces.joined() + "\""
    }
}

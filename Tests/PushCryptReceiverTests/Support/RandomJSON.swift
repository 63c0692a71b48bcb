import PushCryptTesting
import TestSupport

/// A generator of random payloads, the same in each run.
struct RandomJSON: RandomNumberGenerator {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func next() -> UInt64 { random.next() }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// A mark for optional white space, which doesn't occur in JSON.
    private let gap: Character = "\u{0}"

    /// Returns an object of these members in any order, without white space and with some.
    mutating func spellings(_ members: [(name: String, value: String)]) -> (
        dense: [UInt8], spaced: [UInt8]
    ) {
        let text = object(members.shuffled(using: &self)) + String(gap)
        var spaced = ""
        for character in String(gap) + text {
            spaced +=
                character == gap ? pick(["", "", " ", "\n  ", "\t", "\r\n"]) : String(character)
        }
        return (Array(text.filter { $0 != gap }.utf8), Array(spaced.utf8))
    }

    func object(_ members: [(name: String, value: String)]) -> String {
        let texts = members.map { "\(gap)\"\($0.name)\"\(gap):\(gap)\($0.value)\(gap)" }
        return "{" + texts.joined(separator: ",") + "\(gap)}"
    }

    /// Returns some members with unusual names.
    mutating func members(depth: Int, prefix: String = "") -> [(name: String, value: String)] {
        (0..<Int.random(in: 0...4, using: &self)).map { index in
            let name = pick([
                "a", "", "é", "e\u{301}", "\\u0061ps", "alert", "ENCRYPTED_DATA", "\\\"\\\\", "👩‍👩‍👧",
                "\\ud83d\\ude00",
            ])
            return (prefix + name + "\(index)", value(depth: depth - 1))
        }
    }

    mutating func value(depth: Int) -> String {
        switch depth > 0 ? Int.random(in: 0...5, using: &self) : Int.random(in: 0...3, using: &self)
        {
        case 0: return number()
        case 1: return pick(["true", "false", "null", "{}", "[]", "[\(gap)]", "{\(gap)}"])
        case 4: return object(members(depth: depth))
        case 5:
            let elements = (0..<Int.random(in: 1...4, using: &self)).map { _ in
                value(depth: depth - 1)
            }
            return "[\(gap)" + elements.joined(separator: "\(gap),\(gap)") + "\(gap)]"
        default: return text()
        }
    }

    mutating func number() -> String {
        pick([
            "0", "-0", "-0.0e-5", "1.10", "1e2", "1E+02", "12345678901234567890",
            "123456789012345678901234567890", "1E400", "1e-400",
            "0.1000000000000000055511151231257827", "9007199254740993", "-9223372036854775809",
        ])
    }

    mutating func text(_ least: Int = 0) -> String {
        let pieces = (0..<Int.random(in: least...8, using: &self)).map { _ in
            pick([
                "a", " ", "\\u0020", "é", "e\u{301}", "\\u00e9", "\\/", "/", "\\\\", "\\\"", "\\n",
                "\\u000A",
                "\\u0000", "€",
                "\u{2028}", "\u{FEFF}", "\\ud83d\\ude00", "😀", "🇩🇪", "\u{10FFFF}", "\u{7F}", "{",
                "]", ",:",
            ])
        }
        return "\"" + pieces.joined() + "\""
    }
}

import PushCryptTesting
import TestSupport

@testable import PushCryptLint

/// A generator of damaged payloads, the same in every run.
struct PayloadMutations: RandomNumberGenerator {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func next() -> UInt64 { random.next() }

    mutating func bytes(_ count: Int) -> [UInt8] { random.bytes(count) }

    private mutating func number(below limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    /// Flips bits, inserts, replaces and removes bytes, or removes the end.
    mutating func changeBytes(of json: inout [UInt8]) {
        for _ in 0...number(below: 3) {
            guard !json.isEmpty else { return }
            let index = number(below: json.count)
            switch next() % 5 {
            case 0: json[index] ^= 1 << UInt8(next() % 8)
            case 1: json[index] = UInt8(truncatingIfNeeded: next())
            case 2: json.remove(at: index)
            case 3: json.insert(UInt8(ascii: "\\"), at: index)
            default: json.removeSubrange(index...)
            }
        }
    }

    /// Replaces names and values.
    ///
    /// A token is a string, a word or a number, so a number may replace a name.
    mutating func changeTokens(of json: inout [UInt8]) {
        for _ in 0...number(below: 3) {
            let tokens = Self.tokens(of: json)
            guard !tokens.isEmpty else { return }
            let token = tokens[number(below: tokens.count)]
            let isText = json[token.lowerBound] == UInt8(ascii: "\"")
            let isName = json[token.upperBound...].first { $0 > 0x20 } == UInt8(ascii: ":")
            let others = isName || (isText && next() % 3 == 0) ? Self.names : Self.values
            json.replaceSubrange(token, with: Array(others[number(below: others.count)].utf8))
        }
    }

    private static let names = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
        "interruption-level", "relevance-score", "content-state", "timestamp", "event",
        "attributes", "attributes-type", "title", "body", "loc-key", "loc-args", "critical",
        "volume", "aps", "ENCRYPTED_DATA", "", "a/b~c",
        "\\u0061lert",
        "\\ud83d\\ude00",
    ].map { "\"\($0)\"" }

    private static let values = [
        "null", "true", "false", "0", "-0", "1", "-1", "1.0", "1e0", "0.5", "1e400", "-1e-400",
        "99999999999999999999",
        "{}", "[]", "[null]", "[[],{}]", "\"\"", "\"\\/\"", "\"update\"", "\"passive\"", "\"AQ\"",
        "{\"ENCRYPTED_DATA\":1}",
        "{\"title\":null}", "[\"a\",\"b\"]", "[\"a\",1]", "{\"critical\":1}", "\"\\u0000\"",
    ]

    private static func tokens(of json: [UInt8]) -> [Range<Int>] {
        var tokens: [Range<Int>] = []
        var position = 0
        while position < json.count {
            let start = position
            switch json[position] {
            case UInt8(ascii: "\""):
                position += 1
                while position < json.count, json[position] != UInt8(ascii: "\"") {
                    position += json[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position = min(position + 1, json.count)
                tokens.append(start..<position)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                while position < json.count, !",]} \n".utf8.contains(json[position]) {
                    position += 1
                }
                tokens.append(start..<position)
            default:
                position += 1
            }
        }
        return tokens
    }
}

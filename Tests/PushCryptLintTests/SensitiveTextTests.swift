import Foundation
import PushCryptSender
import TestSupport
import Testing

@testable import PushCryptLint

/// A text in `Vectors/texts.json` and the kinds of sensitive text in it.
struct TextVector: Decodable, CustomTestStringConvertible, Sendable {
    let text: String
    let kinds: [String]

    var testDescription: String { text }

    /// Returns all texts, and fails if there are too few.
    static func all() throws -> [TextVector] {
        let file =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Vectors/texts.json"
        let vectors = try JSONDecoder().decode(
            [TextVector].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        try #require(
            vectors.count { !$0.kinds.isEmpty } >= 100 && vectors.count { $0.kinds.isEmpty } >= 150)
        return vectors
    }
}

@Suite("Sensitive text") struct SensitiveTextTests {
    private func kinds(_ text: String) -> [String] { SensitiveText.kinds(in: text).map(\.rawValue) }

    @Test("The texts have every kind")
    func everyKind() throws {
        #expect(
            try Set(TextVector.all().flatMap(\.kinds))
                == Set(SensitiveText.allCases.map(\.rawValue)))
    }

    @Test("A text has its kinds and no others", arguments: try TextVector.all())
    func text(_ vector: TextVector) {
        #expect(kinds(vector.text) == vector.kinds)
        #expect(kinds("\n\(vector.text)\n") == vector.kinds)
    }

    @Test(
        "Words on both sides hide nothing",
        arguments: try TextVector.all().filter { $0.kinds.count == 1 && $0.kinds != ["long-text"] })
    func words(_ vector: TextVector) {
        #expect(kinds("Zyx: \(vector.text), zyx") == vector.kinds)
    }

    @Test("Full-width characters count as ASCII", arguments: try TextVector.all())
    func fullWidth(_ vector: TextVector) {
        let wide = vector.text.unicodeScalars.map { scalar in
            (0x21...0x7E).contains(scalar.value)
                ? Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar : scalar
        }
        #expect(kinds(String(String.UnicodeScalarView(wide))) == vector.kinds)
    }

    @Test(
        "Digits of all scripts count",
        arguments: try TextVector.all().filter {
            $0.kinds == ["card-number"] || $0.kinds == ["phone-number"]
        },
        [0x660, 0x6F0, 0x966])
    func digits(_ vector: TextVector, _ zero: UInt32) {
        let text = vector.text.unicodeScalars.map { scalar in
            (0x30...0x39).contains(scalar.value)
                ? Unicode.Scalar(scalar.value - 0x30 + zero) ?? scalar : scalar
        }
        #expect(kinds(String(String.UnicodeScalarView(text))) == vector.kinds)
    }

    @Test("Kinds have a fixed order")
    func order() {
        let text = """
            one two three four five six seven eight nine ten +49 30 123456. Your code is 123456 \
            jane@example.com 4111111111111111 BE68539007547034 4111111111111111 jane@example.com
            """
        #expect(SensitiveText.kinds(in: text) == SensitiveText.allCases)
    }
}

/// Tests with texts that an attacker chose to slow the detectors down or to crash them.
@Suite("Hostile texts") struct HostileTextTests {
    @Test(
        "A repeated piece takes linear time",
        arguments: [
            "1", "@", " ", "4111", "4111 ", "1 ", "a@", "a.", "@a.", "a@a.", "+1 ", "DE89", "DE89 ",
            "code ", "code 1234 ",
            "コ", "e\u{301}", "\u{200B}", "- ", "(1) ", "1-1.", "1.", "a-",
        ])
    func repetition(_ piece: String) {
        expectLinearTime(LongRun.count(300, full: 6_000)) { size in
            _ = SensitiveText.kinds(in: String(repeating: piece, count: size / piece.utf8.count))
        }
    }

    @Test("No characters crash the detectors", arguments: 0..<UInt64(LongRun.count(8, full: 40)))
    func randomCharacters(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Random characters alone rarely match a rule.
        let likely = Array(
            "0123456789 +-./()@#*:=_\n\rAaBbDEx٣５３＠。は年コード码\u{301}\u{200F}\u{20E3}€%".unicodeScalars)
        for _ in 0..<50 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<120, using: &random) {
                let any = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
                let isLikely = Int.random(in: 0..<4, using: &random) > 0
                text.unicodeScalars.append(
                    (isLikely ? likely.randomElement(using: &random) : any) ?? "0")
            }
            let kinds = SensitiveText.kinds(in: text)
            #expect(kinds == SensitiveText.allCases.filter(kinds.contains))
        }
    }

    @Test(
        "No part of a text crashes the detectors",
        arguments: try TextVector.all().filter { !$0.kinds.isEmpty })
    func parts(_ vector: TextVector) {
        let scalars = Array(vector.text.unicodeScalars.prefix(60))
        for index in scalars.indices {
            for part in [scalars[index...], scalars[..<index]] {
                _ = SensitiveText.kinds(in: String(String.UnicodeScalarView(part)))
            }
        }
    }
}

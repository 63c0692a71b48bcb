import PushCryptSender
import PushCryptTesting
import TestSupport
import Testing

/// Texts that somebody chose to make the detectors slow or to break them.
///
/// A detector that goes back for each character would take hours for these; so it is enough that they end.
@Suite(.timeLimit(.minutes(10))) struct SensitiveTextTimeTests {
    @Test(arguments: ["1", "@", " "])
    func aMegabyteOfOneCharacterIsRead(_ character: String) {
        #expect(SensitiveText.kinds(in: String(repeating: character, count: 1_000_000)) == [])
    }

    @Test(arguments: [
        "4111", "4111 ", "1 ", "a@", "a.", "@a.", "a@a.", "+1 ", "DE89", "DE89 ", "code ", "code 1 ", "コ", "e\u{301}",
        "\u{200B}", "- ", "(1) ", "1-1.", "1.", "a-",
    ])
    func aLongRepetitionIsRead(_ piece: String) {
        let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
        #expect(SensitiveText.kinds(in: text).count <= SensitiveText.allCases.count)
    }

    @Test(arguments: UInt64(0)..<40)
    func nothingCrashes(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Random characters alone would hardly ever come near a rule, so many are from what the rules look at.
        let likely = Array("0123456789 +-./()@#*:=_\n\rAaBbDEx٣५３＠。は年コード码\u{301}\u{200F}\u{20E3}€%".unicodeScalars)
        for _ in 0..<50 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<120, using: &random) {
                let any = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
                let isLikely = Int.random(in: 0..<4, using: &random) > 0
                text.unicodeScalars.append((isLikely ? likely.randomElement(using: &random) : any) ?? "0")
            }
            let kinds = SensitiveText.kinds(in: text)
            #expect(kinds == SensitiveText.allCases.filter(kinds.contains))
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func bytesThatAreNoUTF8DoNotCrash(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let bytes = (0..<Int.random(in: 0..<120, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = SensitiveText.kinds(in: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Every part of every text: a detector that looks behind the end of one would crash.
    @Test(arguments: TextVector.all.filter { !$0.kinds.isEmpty })
    func everyPartOfATextIsRead(_ vector: TextVector) {
        let scalars = Array(vector.text.unicodeScalars.prefix(60))
        for start in scalars.indices {
            var part = ""
            part.unicodeScalars += scalars[start...]
            _ = SensitiveText.kinds(in: part)
            part = ""
            part.unicodeScalars += scalars[..<start]
            _ = SensitiveText.kinds(in: part)
        }
    }
}

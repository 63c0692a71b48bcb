import PushCryptSender
import Testing

/// The detectors, by what they find in texts that people write.
@Suite struct SensitiveTextTests {
    @Test func theTextsAreRead() {
        #expect(TextVector.all.count >= 100)
        #expect(TextVector.all.count { !$0.kinds.isEmpty } >= 45)
        #expect(TextVector.all.count { $0.kinds.isEmpty } >= 65)
        #expect(Set(TextVector.all.flatMap(\.kinds)) == Set(SensitiveText.allCases.map(\.rawValue)))
    }

    @Test(arguments: TextVector.all)
    func findsWhatIsThereAndNothingElse(_ vector: TextVector) {
        #expect(SensitiveText.kinds(in: vector.text).map(\.rawValue) == vector.kinds)
    }

    @Test(arguments: TextVector.all)
    func lineBreaksAroundATextChangeNothing(_ vector: TextVector) {
        #expect(SensitiveText.kinds(in: "\n\(vector.text)\n").map(\.rawValue) == vector.kinds)
    }

    /// Whatever is in the middle of a text is found as well as at its ends; but a code in a sentence of its own, with
    /// other words, is none.
    @Test(
        arguments: TextVector.all.filter {
            $0.kinds.count == 1 && $0.kinds != ["long-text"] && $0.text != "Here is your code. 123456"
        })
    func aWordOnEachSideHidesNothing(_ vector: TextVector) {
        #expect(SensitiveText.kinds(in: "Zyx: \(vector.text), zyx").map(\.rawValue) == vector.kinds)
    }

    /// Full-width forms, which Japanese and Chinese keyboards make, say the same.
    @Test(arguments: TextVector.all)
    func fullWidthCharactersSayTheSame(_ vector: TextVector) {
        var wide = ""
        for scalar in vector.text.unicodeScalars {
            let isGraphic = (0x21...0x7E).contains(scalar.value)
            wide.unicodeScalars.append(isGraphic ? Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar : scalar)
        }
        #expect(SensitiveText.kinds(in: wide).map(\.rawValue) == vector.kinds)
    }

    /// The digits of other scripts, which keyboards there make.
    @Test(
        arguments: TextVector.all.filter { $0.kinds == ["card-number"] || $0.kinds == ["phone-number"] },
        [0x660, 0x6F0, 0x966])
    func digitsOfAllScriptsCount(_ vector: TextVector, _ zero: UInt32) {
        var text = ""
        for scalar in vector.text.unicodeScalars {
            let isDigit = (0x30...0x39).contains(scalar.value)
            text.unicodeScalars.append(isDigit ? Unicode.Scalar(scalar.value - 0x30 + zero) ?? scalar : scalar)
        }
        #expect(SensitiveText.kinds(in: text).map(\.rawValue) == vector.kinds)
    }

    /// The cases are in the order of their declaration, each once.
    @Test func theOrderIsFixed() {
        let text = """
            one two three four five six seven eight nine ten +49 30 123456. Your code is 123456 jane@example.com \
            4111111111111111 BE68539007547034 4111111111111111 jane@example.com
            """
        #expect(SensitiveText.kinds(in: text) == SensitiveText.allCases)
    }
}

import TestSupport
import Testing

@testable import PushCryptPayload

@Suite struct StringsTextTests {
    private func problem(_ bytes: [UInt8]) -> StringsProblem? {
        do throws(StringsProblem) {
            _ = try StringsText.scalars(of: bytes)
            return nil
        } catch {
            return error
        }
    }

    private func littleEndian(_ units: some Sequence<UInt16>) -> [UInt8] {
        units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private func bigEndian(_ units: some Sequence<UInt16>) -> [UInt8] {
        units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    @Test(arguments: [
        "", "a", "\"ä\" = \"世界\";\r\n", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{FFFF}\u{10000}\u{10FFFF}", "👋\u{FEFF}",
    ])
    func readsEveryEncoding(_ text: String) throws {
        let scalars = Array(text.unicodeScalars)
        #expect(try StringsText.scalars(of: Array(text.utf8)) == scalars)
        #expect(try StringsText.scalars(of: [0xEF, 0xBB, 0xBF] + text.utf8) == scalars)
        #expect(try StringsText.scalars(of: [0xFF, 0xFE] + littleEndian(text.utf16)) == scalars)
        #expect(try StringsText.scalars(of: [0xFE, 0xFF] + bigEndian(text.utf16)) == scalars)
    }

    @Test(arguments: [
        "80", "c3", "c328", "c080", "e28228", "eda080", "edb080", "f0808080", "f4908080", "f8888080", "fe", "ff",
        "f09f98",
        "efbb", "feff", "fffe",
    ])
    func refusesWhatIsNotUTF8(_ bytes: String) {
        #expect(
            problem(Array("\n\n/* ".utf8) + hex(bytes) + Array(" */".utf8)) == StringsProblem(.malformedUTF8, line: 3))
        #expect(problem([0xEF, 0xBB, 0xBF, 0x0A] + hex(bytes)) == StringsProblem(.malformedUTF8, line: 2))
    }

    @Test(arguments: [
        [0xD800], [0xDC00], [0xDC00, 0xD800], [0xD800, 0x41], [0xD800, 0xD800, 0xDC00], [0xDBFF, 0xE000],
    ])
    func refusesHalfPairs(_ units: [UInt16]) {
        let text = [0x0A] + units
        #expect(problem([0xFF, 0xFE] + littleEndian(text)) == StringsProblem(.malformedUTF16, line: 2))
        #expect(problem([0xFE, 0xFF] + bigEndian(text)) == StringsProblem(.malformedUTF16, line: 2))
        #expect(problem([0xFE, 0xFF] + bigEndian(text + [0x41])) == StringsProblem(.malformedUTF16, line: 2))
    }

    @Test(arguments: ["", "a", "ab", "\n👋"])
    func refusesHalfACodeUnit(_ text: String) {
        let line = text.contains("\n") ? 2 : 1
        #expect(
            problem([0xFF, 0xFE] + littleEndian(text.utf16) + [0x41]) == StringsProblem(.malformedUTF16, line: line))
        #expect(problem([0xFE, 0xFF] + bigEndian(text.utf16) + [0]) == StringsProblem(.malformedUTF16, line: line))
    }

    @Test func refusesUTF16WithoutAMarkAndUTF32() {
        let text = "\"a\" = \"b\";"
        #expect(problem(littleEndian(text.utf16))?.what == .zero)
        #expect(problem(bigEndian(text.utf16))?.what == .zero)
        #expect(
            problem([0xFF, 0xFE, 0, 0] + text.unicodeScalars.flatMap { [UInt8($0.value), 0, 0, 0] })?.what == .zero)
        #expect(
            problem([0, 0, 0xFE, 0xFF] + text.unicodeScalars.flatMap { [0, 0, 0, UInt8($0.value)] })?.what == .zero)
    }

    @Test func refusesACompiledFile() {
        #expect(problem(Array("bplist00".utf8) + [0xD1, 0x01, 0x02]) == StringsProblem(.propertyList, line: 1))
        #expect(problem(Array("<?xml version=\"1.0\"?>".utf8)) == StringsProblem(.propertyList, line: 1))
        #expect(problem(Array("bplist = \"a list\";".utf8)) == nil)
    }

    @Test func takesAsMuchAsTheMarkAlone() {
        for mark: [UInt8] in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] { #expect(problem(mark) == nil) }
    }
}

import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCore

@Suite struct EndOfPlainTextTests {
    static let stopping = [UInt8](0..<0x20) + [0x22, 0x5C] + [UInt8](0x80...0xFF)
    static let plain = [UInt8](0x20..<0x80).filter { $0 != 0x22 && $0 != 0x5C }

    @Test("Plain text ends at every special byte at every position") func specialBytes() {
        for place in 0..<40 {
            for byte in Self.stopping {
                var text = [UInt8](repeating: 0x61, count: 40)
                text[place] = byte
                for start in 0...place {
                    #expect(
                        JSONScanner.endOfPlainText(text.span, from: start) == place,
                        "\(byte) at \(place)")
                }
            }
        }
    }

    @Test("Plain text continues with every other byte") func plainBytes() {
        for byte in Self.plain {
            for count in 0..<40 {
                let text = [UInt8](repeating: byte, count: count)
                #expect(
                    JSONScanner.endOfPlainText(text.span, from: 0) == count,
                    "\(byte), \(count) times")
            }
        }
    }

    @Test("Plain text ends at the first of two special bytes") func firstOfTwo() {
        for first in Self.stopping {
            for second in [0x00, 0x1F, 0x22, 0x5C, 0x80, 0xFF] as [UInt8] {
                let text: [UInt8] = [0x7F, 0x20, first, second, 0x23, 0x21, 0x5B, 0x5D, 0x61]
                #expect(JSONScanner.endOfPlainText(text.span, from: 0) == 2)
                #expect(JSONScanner.endOfPlainText(text.span, from: 3) == 3)
            }
        }
    }

    @Test("The vector loop finds the same end as a simple loop") func simpleLoop() {
        let stopping = Set(Self.stopping)
        var random = SeededRandom(seed: 3)
        for _ in 0..<3_000 {
            let text = random.bytes(48).map {
                $0 % 9 == 0 ? $0 : Self.plain[Int($0) % Self.plain.count]
            }
            let start = Int(random.next() % 49)
            let end = text.indices.first { $0 >= start && stopping.contains(text[$0]) } ?? 48
            #expect(JSONScanner.endOfPlainText(text.span, from: start) == end)
        }
    }
}

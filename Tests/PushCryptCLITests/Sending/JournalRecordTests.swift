import Foundation
import Testing

@testable import PushCryptCLI

struct JournalRecordTests {
    private static let records: [JournalRecord] = [
        .mark(OutputMark(lines: 3, length: 700, checksum: 0xAB)), .mark(OutputMark()),
        .push(
            JournaledPush(
                number: 12, id: UUID(), mayBeAccepted: true, line: Array(#"{"a": "b c"}"#.utf8))),
        .push(JournaledPush(number: 1, id: UUID(), mayBeAccepted: false, line: [])),
        .answer(LineAnswer(.unsent, bytes: Array(#"{"line": 5}"#.utf8)), number: 5),
        .answer(LineAnswer(.refused, bytes: Array("{} ".utf8)), number: 6),
    ]

    private static func bytes(_ record: JournalRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        record.write(to: &bytes)
        return bytes
    }

    @Test("A record is one line, and is read as it was written", arguments: records)
    func roundTrip(record: JournalRecord) {
        let bytes = Self.bytes(record)
        #expect(bytes.last == UInt8(ascii: "\n") && !bytes.dropLast().contains(UInt8(ascii: "\n")))
        #expect(JournalRecord(Array(bytes.dropLast())) == record)
    }

    @Test("A changed or missing byte is noticed", arguments: records) func damage(
        record: JournalRecord
    ) {
        let bytes = Array(Self.bytes(record).dropLast())
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(JournalRecord(changed) != record, "byte \(index)")
            #expect(JournalRecord(Array(bytes[..<index])) == nil, "\(index) bytes")
            // A letter of another kind has other fields.
            if index >= 19 { #expect(JournalRecord(changed) == nil, "byte \(index)") }
        }
    }

    @Test("Checksums of parts depend on all of them") func checksums() {
        func sum(_ lines: [String]) -> UInt64 {
            var mark = OutputMark()
            for line in lines { mark.add(Array(line.utf8)) }
            return mark.checksum
        }
        let cases = [
            [], [""], ["", ""], ["a"], ["a", ""], ["", "a"], ["ab"], ["a", "b"], ["12345678"],
            ["123456789"],
            ["12345678", "9"], ["\u{0}"], ["\u{0}\u{0}"], ["12345678\u{0}"],
        ]
        #expect(Set(cases.map(sum)).count == cases.count)
        var mark = OutputMark()
        mark.add([1, 2])
        #expect(mark.lines == 1 && mark.length == 3)
    }
}

import Foundation
import PushCryptSender
import Testing

@testable import PushCryptCLI

struct LineReaderTests {
    /// Returns all lines of an input that is written in parts.
    private static func lines(_ parts: [String], atMost count: Int = 1000) throws -> [String?] {
        let pipe = Pipe()
        let thread = Thread {
            for part in parts { try? pipe.fileHandleForWriting.write(contentsOf: Data(part.utf8)) }
            try? pipe.fileHandleForWriting.close()
        }
        thread.start()
        let reader = LineReader(
            FileDescriptor(owning: dup(pipe.fileHandleForReading.fileDescriptor), name: "a pipe"))
        var lines: [String?] = []
        while case let batch = try reader.next(atMost: count), !batch.lines.isEmpty {
            #expect((1...count).contains(batch.lines.count))
            lines += batch.lines.map { $0.map { String(decoding: batch.bytes[$0], as: UTF8.self) } }
        }
        #expect(reader.position == parts.reduce(0) { $0 + $1.utf8.count } && reader.length == 0)
        return lines
    }

    @Test("Lines are the same for every division of the input") func linesAreTheSame() throws {
        for parts in [["a\nbc\n\nd"], ["a", "\nb", "c\n", "\n", "d"], ["a\nbc\n\nd", "", ""]] {
            for count in [1, 2, 1000] { #expect(try Self.lines(parts, atMost: count) == ["a", "bc", "", "d"]) }
        }
        #expect(try Self.lines([]) == [] && Self.lines([""]) == [] && Self.lines(["\n"]) == [""])
    }

    @Test("A line that is too long is skipped, and the next one is read") func aLongLineIsSkipped() throws {
        let maximumLength = LineReader.maximumLength
        let longest = String(repeating: "x", count: maximumLength)
        for extra in [1, 2, maximumLength, 2 * maximumLength, 1_000_000] {
            let long = longest + String(repeating: "x", count: extra)
            #expect(try Self.lines([longest, "\n", long, "\nb\n", long]) == [longest, nil, "b", nil])
            #expect(try Self.lines([long + "\n" + long + "\n" + longest]) == [nil, nil, longest])
        }
    }
}

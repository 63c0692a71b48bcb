import Foundation
import PushCryptSender
import PushCryptSystem
import Testing

@testable import PushCryptCLI

struct LineReaderTests {
    /// Returns a reader of an input that is written in parts.
    private static func reader(of parts: [String]) -> LineReader {
        let pipe = Pipe()
        let thread = Thread {
            for part in parts { try? pipe.fileHandleForWriting.write(contentsOf: Data(part.utf8)) }
            try? pipe.fileHandleForWriting.close()
        }
        thread.start()
        return LineReader(
            FileDescriptor(owning: dup(pipe.fileHandleForReading.fileDescriptor), name: "a pipe"))
    }

    /// Returns all lines of an input that is written in parts.
    private static func lines(_ parts: [String], atMost count: Int = 1000) throws -> [String?] {
        let reader = reader(of: parts)
        var lines: [String?] = []
        while true {
            let batch = try reader.next(atMost: count)
            guard !batch.isEmpty else { break }
            #expect((1...count).contains(batch.count))
            lines += batch.map(\.text)
        }
        #expect(reader.position == parts.reduce(0) { $0 + $1.utf8.count } && reader.length == 0)
        return lines
    }

    @Test("Lines are the same for every division of the input") func linesAreTheSame() throws {
        for parts in [["a\nbc\n\nd"], ["a", "\nb", "c\n", "\n", "d"], ["a\nbc\n\nd", "", ""]] {
            for count in [1, 2, 1000] {
                #expect(try Self.lines(parts, atMost: count) == ["a", "bc", "", "d"])
            }
        }
        #expect(try Self.lines([]) == [] && Self.lines([""]) == [] && Self.lines(["\n"]) == [""])
    }

    @Test("A line that is too long is skipped, and the next one is read") func aLongLineIsSkipped()
        throws
    {
        let maximumLength = Line.maximumLength
        let longest = String(repeating: "x", count: maximumLength)
        for extra in [1, 2, maximumLength, 2 * maximumLength, 1_000_000] {
            let long = longest + String(repeating: "x", count: extra)
            #expect(
                try Self.lines([longest, "\n", long, "\nb\n", long]) == [longest, nil, "b", nil])
            #expect(try Self.lines([long + "\n" + long + "\n" + longest]) == [nil, nil, longest])
        }
    }

    @Test("Lines of any length are skipped, and no more than there are") func linesAreSkipped()
        throws
    {
        let long = String(repeating: "x", count: 3 * Line.maximumLength)
        let parts = ["a\n", long, "\nb\n", "c"]
        let reader = Self.reader(of: parts)
        try reader.skip(2)
        #expect(reader.position == 2 + long.utf8.count + 1)
        #expect(try reader.next(atMost: 1).map(\.text) == ["b"])
        try reader.skip(1)
        #expect(try reader.next(atMost: 1).isEmpty)
        #expect(throws: PushCryptError(.fileExists, "")) { try reader.skip(1) }
        #expect(throws: PushCryptError(.fileExists, "")) { try Self.reader(of: parts).skip(5) }
    }
}

extension Line {
    /// The text of the line; `nil` if it is too long.
    var text: String? {
        guard case .bytes(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

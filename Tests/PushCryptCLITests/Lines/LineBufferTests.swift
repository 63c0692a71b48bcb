import PushCryptSender
import Testing

@testable import PushCryptCLI

struct LineBufferTests {
    /// Appends as much of a string as there is room for, and returns the number of bytes.
    @discardableResult
    private static func append(_ text: String, to buffer: inout LineBuffer) throws -> Int {
        let bytes = Array(text.utf8)
        return try buffer.append { (span, room) throws(PushCryptError) in
            let part = bytes.prefix(room.count)
            for (index, byte) in part.enumerated() { span[room.lowerBound + index] = byte }
            return part.count
        }
    }

    /// Takes all whole lines, and the last one if the input ends.
    private static func lines(of buffer: inout LineBuffer, atEnd: Bool = false) -> [Line] {
        var lines: [Line] = []
        while let line = buffer.nextLine() { lines.append(line) }
        if atEnd, let line = buffer.lastLine() { lines.append(line) }
        return lines
    }

    @Test("A line is complete with its line break") func aLineHasItsBreak() throws {
        var buffer = LineBuffer()
        var lines = Self.lines(of: &buffer, atEnd: true)
        #expect(lines.isEmpty && buffer.count == 0)
        try Self.append("ab", to: &buffer)
        lines = Self.lines(of: &buffer)
        #expect(lines.isEmpty && buffer.count == 2)
        try Self.append("c\n\nd", to: &buffer)
        lines = Self.lines(of: &buffer)
        #expect(lines.map(\.text) == ["abc", ""] && buffer.count == 1)
        lines = Self.lines(of: &buffer, atEnd: true)
        #expect(lines.map(\.text) == ["d"] && buffer.count == 0)
        lines = Self.lines(of: &buffer, atEnd: true)
        #expect(lines.isEmpty)
    }

    @Test("A discarded line is taken without its text") func aLineIsDiscarded() throws {
        var buffer = LineBuffer()
        try Self.append("a\nb\nc", to: &buffer)
        var isDiscarded = buffer.discardLine()
        let line = buffer.nextLine()
        #expect(isDiscarded && line?.text == "b")
        isDiscarded = buffer.discardLine()
        #expect(!isDiscarded && buffer.count == 1)
        try Self.append("\n", to: &buffer)
        isDiscarded = buffer.discardLine()
        #expect(isDiscarded && buffer.count == 0)
        isDiscarded = buffer.discardLine()
        #expect(!isDiscarded)
    }

    @Test("The maximum length is the line's without its line break", arguments: [0, 1])
    func theMaximumLengthIsTheLines(excess: Int) throws {
        let text = String(repeating: "x", count: Line.maximumLength + excess)
        for end in ["", "\n"] {
            var buffer = LineBuffer()
            let count = try Self.append(text + end, to: &buffer)
            #expect(count == text.utf8.count + end.utf8.count)
            let line = end.isEmpty ? buffer.lastLine() : buffer.nextLine()
            #expect(line == (excess == 0 ? .bytes(Array(text.utf8)) : .tooLong))
            #expect(buffer.count == 0)
        }
    }

    @Test("A line that is too long needs no more room, and is one line") func aLongLineIsOneLine()
        throws
    {
        var buffer = LineBuffer()
        let part = String(repeating: "x", count: Line.maximumLength + 1)
        for _ in 0..<10 {
            let count = try Self.append(part, to: &buffer)
            let lines = Self.lines(of: &buffer)
            #expect(count == part.utf8.count && lines.isEmpty && buffer.count <= count)
        }
        try Self.append("y\nz\n", to: &buffer)
        var lines = Self.lines(of: &buffer)
        #expect(lines == [.tooLong, .bytes([UInt8(ascii: "z")])])

        // The end of the input.
        try Self.append(part, to: &buffer)
        try Self.append("", to: &buffer)
        #expect(buffer.count == 0)
        lines = Self.lines(of: &buffer, atEnd: true)
        #expect(lines == [.tooLong])
        lines = Self.lines(of: &buffer, atEnd: true)
        #expect(lines.isEmpty)

        try Self.append(part, to: &buffer)
        try Self.append("\na\n", to: &buffer)
        let isDiscarded = buffer.discardLine()
        lines = Self.lines(of: &buffer)
        #expect(isDiscarded && lines.map(\.text) == ["a"])
    }

    @Test("An error of the read leaves the buffer as it was") func anErrorChangesNothing() throws {
        var buffer = LineBuffer()
        try Self.append("a", to: &buffer)
        let error = PushCryptError(.fileSystemError, "")
        #expect(throws: error) {
            try buffer.append { (_, _) throws(PushCryptError) in throw error }
        }
        try Self.append("b\n", to: &buffer)
        let line = buffer.nextLine()
        #expect(line?.text == "ab")
    }
}

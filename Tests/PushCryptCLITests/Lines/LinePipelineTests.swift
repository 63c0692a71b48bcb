import Foundation
import PushCryptSender
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI

/// An answerer that records what a pipeline tells it, and that takes as many lines as it may.
private final class RecordedAnswerer: LineAnswerer {
    let lines: LinePipeline<Int>
    var allowed = 0
    var taken: [Line] = []
    var results: [Int] = []
    var turns = 0
    var interruptions = 0
    var collected = 0
    var timeToWake = TimeInterval.infinity
    /// Does something in each turn, and ends the pipeline if it returns `true`.
    var isOver: (RecordedAnswerer) -> Bool = { _ in false }

    init(_ lines: LinePipeline<Int>) { self.lines = lines }

    func turn() throws(PushCryptError) -> Int? {
        turns += 1
        while taken.count < allowed, let line = lines.nextLine() { taken.append(line) }
        _ = try lines.writer.write()
        return isOver(self) ? taken.count : nil
    }

    func receive(_ result: Int) { results.append(result) }

    func interrupt() { interruptions += 1 }

    func timeToCollect(after count: Int) -> TimeInterval {
        collected += count
        return count == 1 ? 0.01 : 0
    }
}

@Suite(.toolThreads) struct LinePipelineTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func answerer(_ reader: LineReader) throws -> RecordedAnswerer {
        var data = DataOptions()
        data.output = scratch.file("output")
        let output = try LineOutput(data, isPrivate: false, resumes: true)
        let writer = AnswerWriter(output, AnswerQueue(keepsOrder: true, after: 4), position: 0)
        return RecordedAnswerer(
            LinePipeline(
                reader, after: 4, refusesPartOfLine: true, writer: writer, maximumSize: 100))
    }

    private func reader(of text: String) throws -> LineReader {
        LineReader(try .reading(scratch.write(Array(text.utf8), to: "input")))
    }

    private static let lines = String(repeating: "{}\n", count: 100)

    @Test("Lines are read a few chunks ahead of those that are taken") func theBacklog() throws {
        let reader = try reader(of: String(repeating: "{}\n", count: 1000))
        let answerer = try answerer(reader)
        var positions: [Int] = []
        answerer.timeToWake = 0
        answerer.isOver = { answerer in
            // The thread waits for room, so nothing changes the position anymore.
            usleep(20_000)
            positions.append(reader.position)
            answerer.allowed = positions.count / 2 * 128
            return positions.count == 6
        }
        #expect(try answerer.lines.run(answerer) == 256)
        // A chunk of 128 lines is read for each one that is taken.
        #expect(positions == [1152, 1152, 1536, 1536, 1920, 1920], "\(positions)")
        #expect(answerer.lines.number == 260 && answerer.lines.endOfLines == nil)
    }

    @Test("All lines are taken before the end of the input is known") func theEnd() throws {
        let answerer = try answerer(reader(of: Self.lines))
        answerer.allowed = .max
        answerer.isOver = { $0.lines.endOfLines != nil }
        #expect(try answerer.lines.run(answerer) == 100)
        #expect(answerer.lines.number == 104 && answerer.lines.endOfLines?.failure == nil)
    }

    @Test("An error of a line ends the lines") func anErrorOfALine() throws {
        let answerer = try answerer(reader(of: Self.lines))
        answerer.allowed = 1
        answerer.isOver = { answerer in
            if answerer.taken.count == 1 {
                answerer.lines.endInput(PushCryptError(.lineTooLong, "first"))
            }
            return answerer.lines.endOfLines != nil
        }
        #expect(try answerer.lines.run(answerer) == 1)
        #expect(answerer.lines.endOfLines?.failure?.code == .lineTooLong)
        #expect(answerer.lines.nextLine() == nil)
    }

    @Test("Reports and interruptions come in their order, and more are collected")
    func events() throws {
        let answerer = try answerer(reader(of: ""))
        for number in 1...3 { answerer.lines.inbox.post(.report(number)) }
        answerer.lines.inbox.post(.interruption)
        answerer.isOver = { $0.results.count >= 3 && $0.lines.endOfLines != nil }
        #expect(try answerer.lines.run(answerer) == 0)
        #expect(answerer.results == [1, 2, 3] && answerer.interruptions == 1)
        #expect(answerer.collected > 0)
    }

    @Test("A turn comes at its time without an event") func theTimeToWake() throws {
        let pipe = Pipe()
        let file = pipe.fileHandleForReading.fileDescriptor
        let answerer = try answerer(
            LineReader(FileDescriptor(owning: dup(file), name: "a pipe")))
        answerer.timeToWake = 0
        answerer.isOver = { $0.turns == 3 }
        #expect(try answerer.lines.run(answerer) == 0)
        #expect(answerer.collected == 0)
    }

    @Test("Answers that wait leave room for the first line alone") func theRoom() throws {
        let lines = try answerer(reader(of: "")).lines
        #expect(lines.hasRoom(beside: 0) && lines.hasRoom(beside: 7))
        lines.writer.add(LineAnswer(.accepted, JSONObjectText()), to: 6)
        #expect(lines.hasRoom(beside: 0) && !lines.hasRoom(beside: 1))
        lines.writer.add(LineAnswer(.refused, JSONObjectText()), to: 5)
        #expect(lines.hasRoom(beside: 1))
        let turn = try lines.writer.write()
        #expect(turn.written.count == 2 && turn.waiting.isEmpty)
        let text = try String(contentsOfFile: scratch.file("output"), encoding: .utf8)
        #expect(text == "{}\n{}\n")
        #expect(lines.writer.counts == AnswerCounts(accepted: 1, refused: 1, unsent: 0))
    }

    @Test("The error of a turn ends the pipeline") func theOutputFails() throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let answerer = try answerer(reader(of: Self.lines))
        try OpenFile.replace(scratch.file("output"), by: "/dev/full")
        answerer.isOver = { answerer in
            answerer.lines.writer.add(LineAnswer(.accepted, JSONObjectText()), to: 5)
            return false
        }
        #expect(throws: PushCryptError(.fileSystemError, "")) {
            _ = try answerer.lines.run(answerer)
        }
    }
}

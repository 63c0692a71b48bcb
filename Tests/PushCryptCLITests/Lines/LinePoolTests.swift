import Dispatch
import Foundation
import PushCryptSender
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI

/// Work that counts the lines at work, and whose time a closure determines.
private struct CountedWork: LineWork {
    struct Counts {
        var atWork = 0
        var mostAtWork = 0
        var started = 0
    }

    let hiddenMembers: [String] = []
    let counts = LockedValue(Counts())
    let wait: @Sendable (Int) -> Void
    /// The members that each answer gets beside those of its line.
    var added = JSONObjectText()

    /// Creates work whose answers are ready in another order than the lines.
    static var uneven: CountedWork {
        CountedWork { number in usleep(UInt32(number * 7 % 11) * 20) }
    }

    func answer(_ line: LineMembers) -> LineAnswer {
        counts.withLock { counts in
            counts.atWork += 1
            counts.started += 1
            counts.mostAtWork = max(counts.mostAtWork, counts.atWork)
        }
        wait(line.number)
        counts.withLock { $0.atWork -= 1 }
        var answer = line.kept(without: [])
        answer.append(added)
        return LineAnswer(.accepted, answer)
    }
}

@Suite(.toolThreads) struct LinePoolTests {
    private let scratch: Scratch
    private let input = Pipe()

    init() throws { scratch = try Scratch() }

    private func pool(
        _ work: CountedWork, threads: Int, linesInBatch: Int = 16, reader: LineReader
    ) throws -> LinePool<CountedWork> {
        var data = DataOptions()
        data.output = scratch.file("output")
        let output = try LineOutput(data, isPrivate: false, resumes: true)
        let writer = AnswerWriter(output, AnswerQueue(keepsOrder: true, after: 0), position: 0)
        return LinePool(
            work, threads: threads, linesInBatch: linesInBatch, reader: reader, writer: writer)
    }

    private func reader() -> LineReader {
        let file = input.fileHandleForReading.fileDescriptor
        return LineReader(FileDescriptor(owning: dup(file), name: "a pipe"))
    }

    private func reader(of text: String) throws -> LineReader {
        LineReader(try .reading(scratch.write(Array(text.utf8), to: "input")))
    }

    private func write(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    private func contents() throws -> String {
        try String(contentsOfFile: scratch.file("output"), encoding: .utf8)
    }

    private static func lines(_ count: Int) -> String {
        (1...count).map { #"{"id":\#($0)}"# + "\n" }.joined()
    }

    @Test("Answers come in the order of the lines", arguments: [1, 3, 16], [1, 2, 5])
    func answersAreInOrder(linesInBatch: Int, threads: Int) throws {
        let work = CountedWork.uneven
        let lines = Self.lines(200)
        let pool = try pool(
            work, threads: threads, linesInBatch: linesInBatch, reader: reader(of: lines))
        #expect(try pool.run() == AnswerCounts(accepted: 200, refused: 0, unsent: 0))
        #expect(try contents() == lines)
        let counts = work.counts.withLock { $0 }
        #expect(counts.mostAtWork <= threads && counts.started == 200)
    }

    @Test("A line is answered while the next one is missing") func answersInPauses() throws {
        let pool = try pool(.uneven, threads: 2, reader: reader())
        let output = scratch.file("output")
        Thread { [input] in
            for number in 1...3 {
                let writing = input.fileHandleForWriting
                try? writing.write(contentsOf: Data("{\"id\":\(number)}\n".utf8))
                let wanted = LinePoolTests.lines(number)
                while (try? String(contentsOfFile: output, encoding: .utf8)) != wanted {
                    usleep(1000)
                }
            }
            try? input.fileHandleForWriting.close()
        }.start()
        #expect(try pool.run().accepted == 3)
        #expect(try contents() == Self.lines(3))
    }

    @Test("Answers that wait for one line take limited memory, and come after it")
    func limitedMemory() throws {
        let first = DispatchSemaphore(value: 0)
        var work = CountedWork { number in if number == 1 { first.wait() } }
        work.added.append("x", String(repeating: "x", count: 20_000))
        let pool = try pool(work, threads: 2, linesInBatch: 4, reader: reader(of: Self.lines(300)))
        Thread { [counts = work.counts] in
            // No more lines come when the memory is full.
            var count = -1
            while counts.withLock({ $0.started }) != count || count < 20 {
                count = counts.withLock { $0.started }
                usleep(100_000)
            }
            counts.withLock { $0.mostAtWork = count }
            first.signal()
        }.start()
        #expect(try pool.run().accepted == 300)
        let started = work.counts.withLock { $0.mostAtWork }
        // The answers of two threads may take 512 KiB, and a batch begins below that.
        #expect((20...36).contains(started), "\(started)")
        let numbers = try contents().split(separator: "\n").map { $0.prefix { $0 != "," } }
        #expect(numbers == (1...300).map { #"{"id":\#($0)"# })
    }

    @Test("An output that can't be written ends the work", arguments: [1, 4])
    func theOutputFails(threads: Int) throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let work = CountedWork.uneven
        let pool = try pool(
            work, threads: threads, linesInBatch: 2, reader: reader(of: Self.lines(5000)))
        try OpenFile.replace(scratch.file("output"), by: "/dev/full")
        #expect(throws: PushCryptError(.fileSystemError, "")) { try pool.run() }
        let counts = work.counts.withLock { $0 }
        #expect(counts.atWork == 0 && counts.started < 1000, "\(counts.started)")
    }

    @Test("An error of the input ends the work") func theInputFails() throws {
        let directory = LineReader(try FileDescriptor(scratch.path, O_RDONLY))
        let pool = try pool(.uneven, threads: 1, reader: directory)
        #expect(throws: PushCryptError(.fileSystemError, "")) { try pool.run() }
        #expect(try contents().isEmpty)
    }

    @Test("A part of a line at the end of the input has an answer") func aPartOfALine() throws {
        let pool = try pool(.uneven, threads: 1, reader: reader(of: Self.lines(2) + "{\"id\":"))
        #expect(try pool.run() == AnswerCounts(accepted: 2, refused: 1, unsent: 0))
        #expect(try contents().hasPrefix(Self.lines(2) + #"{"line":3,"error":"#))
    }
}

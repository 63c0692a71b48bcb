import Foundation
import PushCryptSender
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI

/// Work whose answers are ready in another order than the lines, and that counts what is at work.
private struct UnevenWork: LineWork {
    struct Counts {
        var atWork = 0
        var mostAtWork = 0
        var started = 0
    }

    let hiddenMembers: [String] = []
    let counts = LockedValue(Counts())

    func result(for line: LineMembers) async throws(PushCryptError) -> LineResult {
        counts.withLock { counts in
            counts.atWork += 1
            counts.started += 1
            counts.mostAtWork = max(counts.mostAtWork, counts.atWork)
        }
        defer { counts.withLock { $0.atWork -= 1 } }
        for _ in 0..<(line.number * 7 % 11) { await Task.yield() }
        return .answer(line.kept(without: []))
    }
}

struct LineFilterTests {
    private let input = Pipe()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "filter-\(UUID().uuidString)")

    private var output: String { folder.path + "/output" }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func reader() -> LineReader {
        LineReader(
            FileDescriptor(owning: dup(input.fileHandleForReading.fileDescriptor), name: "a pipe"))
    }

    private func writer() throws -> LineWriter {
        var data = DataOptions()
        data.output = output
        let progress = LineProgress(isVisible: false, skippedLines: 0, skippedBytes: 0)
        return LineWriter(
            try LineOutput(data, isPrivate: false, resumes: true), progress, inputLength: 0)
    }

    private func write(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    private func contents() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

    @Test("Answers come in the order of the lines", arguments: [1, 3, 16], [1, 2, 5])
    func answersAreInOrder(batchSize: Int, concurrency: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = (1...200).map { #"{"id":\#($0)}"# + "\n" }.joined()
        try write(lines)
        try input.fileHandleForWriting.close()
        let work = UnevenWork()
        let filter = LineFilter(
            work: work, batchSize: batchSize, concurrency: concurrency,
            maximumUnwritten: concurrency + 2)
        let writer = try writer()
        try await filter.run(reader(), writer)
        #expect(try await writer.finish() == 0)
        #expect(try contents() == lines)
        let counts = work.counts.withLock { $0 }
        #expect(counts.mostAtWork <= concurrency && counts.started == 200)
    }

    @Test("A line is answered while the next one is missing") func anAnswerDoesNotWaitForInput()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let writer = try writer()
        let filter = LineFilter(
            work: UnevenWork(), batchSize: 16, concurrency: 2, maximumUnwritten: 6)
        async let end: Void = filter.run(reader(), writer)
        for number in 1...3 {
            try write(#"{"id":\#(number)}"# + "\n")
            while await writer.progress.lines < number { await Task.yield() }
        }
        try input.fileHandleForWriting.close()
        try await end
        #expect(try contents() == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
    }

    @Test("The reader stays within the window until batches are written")
    func theReaderStaysInTheWindow() async throws {
        try write(String(repeating: "{}\n", count: 20))
        let reader = reader()
        let batches = LineBatches(reader, after: 5, size: 2, workers: 20, maximumUnwritten: 3)
        var iterator = batches.makeAsyncIterator()
        var read: [LineBatch] = []
        while read.count < 3, let batch = await iterator.next() { read.append(batch) }
        #expect(read.map(\.index) == [0, 1, 2] && read.map(\.firstNumber) == [6, 8, 10])
        // The thread waits for room, so nothing changes the position anymore.
        #expect(reader.position == 18 && read.last?.position == 18)
        batches.addRoom(for: 1)
        let next = await iterator.next()
        #expect(next?.position == 24)
        #expect(reader.position == 24)
        batches.stop(PushCryptError(.fileSystemError, "first"))
        batches.stop(PushCryptError(.lineTooLong, "second"))
        let last = await iterator.next()
        #expect(last == nil)
        #expect(batches.failure?.code == .fileSystemError)
    }

    @Test("The reader doesn't read more batches than workers take") func theReaderWaitsForWorkers()
        async throws
    {
        try write(String(repeating: "{}\n", count: 20))
        let reader = reader()
        let batches = LineBatches(reader, after: 0, size: 2, workers: 3, maximumUnwritten: 10)
        var iterator = batches.makeAsyncIterator()
        for _ in 0..<3 { _ = await iterator.next() }
        // The thread waits for a worker, so nothing changes the position anymore.
        #expect(reader.position == 18)
        batches.endWork()
        let next = await iterator.next()
        #expect(next?.position == 24)
        #expect(reader.position == 24)
        batches.stop(PushCryptError(.fileSystemError, "the end"))
    }

    @Test("An error of the input comes after the answers to the lines before it")
    func anErrorOfTheInput() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let directory = LineReader(try FileDescriptor(folder.path, O_RDONLY))
        let batches = LineBatches(directory, after: 0, size: 1, workers: 1, maximumUnwritten: 1)
        for await _ in batches { #expect(Bool(false)) }
        #expect(batches.failure?.code == .fileSystemError)
        let filter = LineFilter(
            work: UnevenWork(), batchSize: 1, concurrency: 1, maximumUnwritten: 1)
        let writer = try writer()
        let again = LineReader(try FileDescriptor(folder.path, O_RDONLY))
        await #expect(throws: PushCryptError(.fileSystemError, "")) {
            try await filter.run(again, writer)
        }
    }
}

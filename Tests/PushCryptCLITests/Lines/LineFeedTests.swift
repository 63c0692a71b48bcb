import Foundation
import PushCryptSender
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI

@Suite(.toolThreads) struct LineFeedTests {
    private enum Event: Sendable {
        case chunk(LineFeed.Chunk)
        case end(PushCryptError?)
    }

    private static func feed(_ path: String, _ inbox: Inbox<Event>) throws -> LineFeed {
        LineFeed(
            LineReader(try FileDescriptor(path, O_RDONLY)), chunk: { inbox.post(.chunk($0)) },
            end: { inbox.post(.end($0)) })
    }

    /// Waits for a number of chunks, or for the end of the input.
    private static func take(
        _ count: Int, _ inbox: Inbox<Event>, _ chunks: inout [LineFeed.Chunk]
    ) -> Bool {
        var events: [Event] = []
        while chunks.count < count {
            inbox.take(into: &events)
            for event in events {
                guard case .chunk(let chunk) = event else { return true }
                chunks.append(chunk)
            }
        }
        return false
    }

    @Test("It reads a few chunks ahead, and one more for each that is used")
    func readsAFewChunksAhead() throws {
        let scratch = try Scratch()
        let path = scratch.write(Array(String(repeating: "{}\n", count: 1000).utf8), to: "lines")
        let inbox = Inbox<Event>()
        let feed = try Self.feed(path, inbox)
        var chunks: [LineFeed.Chunk] = []
        #expect(!Self.take(3, inbox, &chunks) && chunks.count == 3)
        #expect(chunks.map(\.lines.count) == [128, 128, 128])
        #expect(chunks.map(\.position) == [384, 768, 1152])
        // The thread waits, so no event comes until a chunk is used.
        var more: [Event] = []
        inbox.take(into: &more, until: Clock.now + 0.05)
        #expect(more.isEmpty)
        for count in 4...8 {
            feed.use()
            #expect(!Self.take(count, inbox, &chunks) && chunks.count == count)
        }
        feed.use()
        #expect(Self.take(9, inbox, &chunks), "the end of the input")
        #expect(chunks.reduce(0) { $0 + $1.lines.count } == 1000)
    }

    @Test("It stops while it waits for the use of a chunk, and tells the error of the input")
    func theEnds() throws {
        let scratch = try Scratch()
        let path = scratch.write(Array(String(repeating: "{}\n", count: 1000).utf8), to: "lines")
        let inbox = Inbox<Event>()
        let feed = try Self.feed(path, inbox)
        var chunks: [LineFeed.Chunk] = []
        _ = Self.take(3, inbox, &chunks)
        feed.stop()
        #expect(Self.take(4, inbox, &chunks))
        _ = try Self.feed(scratch.path, inbox)
        var events: [Event] = []
        inbox.take(into: &events)
        guard case .end(let error?)? = events.first else { return #expect(Bool(false)) }
        #expect(error.code == .fileSystemError)
    }

    @Test("Lines are numbered on, and each chunk that is used is told") func backlog() throws {
        var backlog = LineBacklog(after: 4, position: 10)
        var used = 0
        #expect(backlog.next { used += 1 } == nil && backlog.isEmpty && backlog.number == 4)
        backlog.add(LineFeed.Chunk(lines: [.bytes([1]), .tooLong], position: 20))
        backlog.add(LineFeed.Chunk(lines: [.bytes([2])], position: 30))
        #expect(backlog.next { used += 1 } == .bytes([1]) && used == 0 && backlog.position == 10)
        #expect(backlog.next { used += 1 } == .tooLong && used == 1 && backlog.position == 20)
        #expect(backlog.next { used += 1 } == .bytes([2]) && used == 2 && backlog.position == 30)
        #expect(backlog.isEmpty && backlog.number == 7)
    }

    @Test("A batch has lines of one chunk") func batches() throws {
        var backlog = LineBacklog(after: 0, position: 0)
        var used = 0
        let lines = (0..<5).map { Line.bytes([$0]) }
        backlog.add(LineFeed.Chunk(lines: lines, position: 10))
        backlog.add(LineFeed.Chunk(lines: [.tooLong], position: 20))
        #expect(backlog.estimatedPosition == 0)
        #expect(backlog.next { used += 1 } == lines[0] && backlog.estimatedPosition == 2)
        #expect(backlog.nextBatch(atMost: 3) { used += 1 } == lines[1...3])
        #expect(backlog.estimatedPosition == 8)
        #expect(backlog.number == 4 && backlog.position == 0 && used == 0)
        #expect(backlog.nextBatch(atMost: 3) { used += 1 } == lines[4...])
        #expect(backlog.number == 5 && backlog.position == 10 && used == 1)
        #expect(backlog.nextBatch(atMost: 3) { used += 1 } == [.tooLong] && used == 2)
        #expect(backlog.nextBatch(atMost: 3) { used += 1 } == nil)
        #expect(backlog.estimatedPosition == 20)
    }
}

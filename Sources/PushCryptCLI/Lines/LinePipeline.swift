internal import Foundation
internal import PushCryptSender

/// The part of a pipeline that gets lines answered.
///
/// The thread of the pipeline alone calls it.
protocol LineAnswerer: AnyObject {
    /// A report from another thread.
    associatedtype Report: Sendable
    /// The way in which a pipeline ends.
    associatedtype Ending

    /// Takes lines for which there is room, and writes the answers whose turn it is.
    ///
    /// - Returns: The ending if nothing is left to do or to wait for.
    func turn() throws(PushCryptError) -> Ending?

    /// Adds the answers of a report.
    func receive(_ report: Report)

    /// Begins to end early.
    func interrupt()

    /// The time at which a turn is due without an event.
    var timeToWake: TimeInterval { get }

    /// Returns the seconds in which more events are worth the wait, after a number of them.
    func timeToCollect(after count: Int) -> TimeInterval
}

extension LineAnswerer {
    func interrupt() {}
    var timeToWake: TimeInterval { .infinity }
    func timeToCollect(after count: Int) -> TimeInterval { 0 }
}

/// The lines of an input and the answers of an output, with one loop between them.
///
/// One thread runs the loop, and waits in an inbox for what others bring: ``LineFeed`` lines, and
/// the threads of a ``LineAnswerer`` its reports. In each turn it takes all that has come, and
/// writes all answers whose turn it is. So there is no hand-over for each line, and no answer waits
/// while the input pauses.
final class LinePipeline<Report: Sendable> {
    /// Something that ends a wait.
    enum Event: Sendable {
        case report(Report)
        case lines(LineFeed.Chunk)
        case endOfInput(PushCryptError?)
        case interruption
    }

    /// The end of the input.
    struct InputEnd {
        let failure: PushCryptError?
    }

    let inbox: Inbox<Event>
    let writer: AnswerWriter
    private let maximumSize: Int
    /// The length of the input in bytes; 0 if it isn't known.
    private let inputLength: Int
    private let feed: LineFeed
    private var backlog: LineBacklog
    private var inputEnd: InputEnd?

    /// Starts to read an input.
    ///
    /// - Parameters:
    ///   - reader: The input, whose first lines are skipped.
    ///   - count: The number of these lines.
    ///   - refusesPartOfLine: A Boolean value that indicates whether a part of a line at the end of
    ///     the input is an error, and no line.
    ///   - writer: The writer of the answers.
    ///   - maximumSize: The size in memory, in bytes, of the answers that wait for an earlier one;
    ///     above it, no line is taken.
    init(
        _ reader: LineReader, after count: Int, refusesPartOfLine: Bool, writer: AnswerWriter,
        maximumSize: Int
    ) {
        let inbox = Inbox<Event>()
        self.inbox = inbox
        self.writer = writer
        self.maximumSize = maximumSize
        inputLength = reader.length
        backlog = LineBacklog(after: count, position: reader.position)
        feed = LineFeed(
            reader, refusesPartOfLine: refusesPartOfLine, chunk: { inbox.post(.lines($0)) },
            end: { inbox.post(.endOfInput($0)) })
    }

    /// Runs until the lines are answered.
    ///
    /// - Throws: The error of a turn.
    func run<Answerer: LineAnswerer>(
        _ answerer: Answerer
    ) throws(PushCryptError) -> Answerer.Ending where Answerer.Report == Report {
        defer { feed.stop() }
        var events: [Event] = []
        while true {
            if let ending = try answerer.turn() { return ending }
            inbox.take(into: &events, until: answerer.timeToWake)
            handle(events, answerer)
            let time = events.isEmpty ? 0 : answerer.timeToCollect(after: events.count)
            guard time > 0 else { continue }
            Thread.sleep(forTimeInterval: time)
            inbox.take(into: &events, until: 0)
            handle(events, answerer)
        }
    }

    private func handle<Answerer: LineAnswerer>(
        _ events: [Event], _ answerer: Answerer
    ) where Answerer.Report == Report {
        for event in events {
            switch event {
            case .report(let report): answerer.receive(report)
            case .lines(let chunk): if inputEnd == nil { backlog.add(chunk) }
            case .endOfInput(let failure): inputEnd = inputEnd ?? InputEnd(failure: failure)
            case .interruption: answerer.interrupt()
            }
        }
    }

    // MARK: Lines

    /// The number of the last line that was taken.
    var number: Int { backlog.number }

    /// The end of the input, if all lines before it are taken.
    var endOfLines: InputEnd? { backlog.isEmpty ? inputEnd : nil }

    /// Returns a Boolean value that indicates whether the memory has room for the answers to more
    /// lines, beside those that are being answered.
    ///
    /// The first line without an answer makes room, so it always has it.
    func hasRoom(beside count: Int) -> Bool { writer.size < maximumSize || count == 0 }

    /// Takes the next line that was read.
    func nextLine() -> Line? { backlog.next { feed.use() } }

    /// Takes the next lines that were read.
    func nextBatch(atMost count: Int) -> ArraySlice<Line>? {
        backlog.nextBatch(atMost: count) { feed.use() }
    }

    /// Takes no more lines, because of an error of one.
    func endInput(_ failure: PushCryptError) {
        feed.stop()
        inputEnd = InputEnd(failure: failure)
        backlog.removeAll()
    }

    /// Reads no more lines.
    func stopReading() { feed.stop() }

    /// Displays the progress on a terminal, or the reason why no line is answered.
    func show(_ state: String? = nil) {
        writer.show(state, position: backlog.estimatedPosition, of: inputLength)
    }
}

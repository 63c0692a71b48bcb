internal import Foundation
internal import PushCryptSender

/// Sends the push of each line, and writes an answer to each line.
///
/// In each turn of the pipeline, it writes answers, records in the journal what it's about to do,
/// and hands new pushes to the client.
///
/// A push that fails because the server can't be reached begins an outage: nothing else is sent but
/// one push at a time, until one has an answer.
final class Campaign: LineAnswerer {
    typealias Report = [NumberedResult]
    typealias Lines = LinePipeline<Report>
    typealias Event = Lines.Event

    /// The way in which a campaign ends.
    enum Ending: Sendable {
        /// All lines have answers.
        case complete
        /// Some lines have no answer.
        case interrupted
        /// Some lines have no answer, because the server couldn't be reached for too long.
        case unreachable(PushCryptError)
        /// Some lines have no answer, because of another error.
        case failed(PushCryptError)
    }

    let settings: CampaignSettings
    let sender: any PushSender
    let reader: PushReader
    let lines: Lines
    let journal: Journal?
    /// The numbers of the lines that aren't taken from the input.
    let known: NumberSet

    /// The pushes of the journal that aren't sent yet, the last line first.
    var journaled: [JournaledPush]
    var window = PushWindow()
    var outage: Outage?
    var closing: Closing?
    /// A Boolean value that indicates whether the user knows that a line's header counts.
    var hasWarned = false

    /// The wait for the last answers of a campaign that ends early.
    struct Closing {
        var ending: Ending
        /// The time at which the pushes in flight are cancelled; `nil` after that.
        var cancellation: TimeInterval?
        /// The time at which the wait ends.
        var limit: TimeInterval
    }

    init(
        _ settings: CampaignSettings, reader: PushReader, files: CampaignFiles,
        makeSender: (@escaping PushReceiver) -> any PushSender
    ) {
        self.settings = settings
        self.reader = reader
        journal = files.journal
        known = files.earlier.known
        journaled = files.earlier.pushes.values.sorted { $0.number > $1.number }
        let lines = Lines(
            files.lines, after: known.lengthOfStart, refusesPartOfLine: true,
            writer: files.writer, maximumSize: settings.maximumSize)
        self.lines = lines
        sender = makeSender { [inbox = lines.inbox] in inbox.post(.report($0)) }
    }

    var inbox: Inbox<Event> { lines.inbox }
    var writer: AnswerWriter { lines.writer }

    /// Runs until all lines have answers, or until an error or an interruption has ended the
    /// campaign.
    ///
    /// - Throws: The error of the output or the journal.
    func run() throws(PushCryptError) -> Ending { try lines.run(self) }

    func turn() throws(PushCryptError) -> Ending? {
        watchTime(Clock.now)
        let pushes = nextPushes(Clock.now)
        try record(pushes, after: writer.write())
        for push in pushes { submit(push) }
        endDoubt()
        show()
        guard let ending = ending(Clock.now) else { return nil }
        try leaveJournal(ending)
        return ending
    }

    func receive(_ results: [NumberedResult]) {
        for result in results { receive(result) }
    }

    /// Returns a moment for more results, because each turn costs some system calls.
    func timeToCollect(after count: Int) -> TimeInterval {
        let isWorth = window.inFlight > 64 && count < window.inFlight / 4
        return isWorth ? settings.collection : 0
    }

    /// Hands a push to the client.
    private func submit(_ push: OpenPush) {
        window.send(push)
        sender.submit(push.push, number: push.number)
    }

    // MARK: The end

    /// Ends the campaign, without a wait for answers if it was asked before.
    func interrupt() { close(.interrupted) }

    /// Begins to end early; the second interruption ends the wait for answers.
    func close(_ ending: Ending) {
        let now = Clock.now
        guard closing == nil else {
            if case .interrupted = ending { closing?.cancellation = now }
            return
        }
        lines.stopReading()
        let cancellation = now + settings.grace
        closing = Closing(
            ending: ending, cancellation: cancellation, limit: cancellation + settings.grace)
    }

    /// Returns the ending if nothing is left to do or to wait for.
    private func ending(_ now: TimeInterval) -> Ending? {
        if let closing {
            return window.inFlight == 0 || now >= closing.limit ? closing.ending : nil
        }
        guard let end = lines.endOfLines, journaled.isEmpty, window.count == 0 else { return nil }
        if let failure = end.failure { return .failed(failure) }
        guard known.highest <= lines.number else { return .failed(LineReader.inputIsShorter) }
        return .complete
    }

    /// The time at which a turn is due without an event.
    var timeToWake: TimeInterval {
        var times: [TimeInterval] = []
        if let closing { times.append(closing.cancellation ?? closing.limit) }
        if closing == nil, let outage {
            times.append(outage.end(patience: settings.patience))
            if let time = outage.timeOfProbe, window.hasWaiting { times.append(time) }
        }
        if writer.progress.isVisible { times.append(Clock.now + 5 * ProgressDisplay.interval) }
        return times.min() ?? .infinity
    }
}

internal import Foundation
internal import PushCryptSender

/// Sends the push of each line, and writes an answer to each line.
///
/// One thread runs it, and waits in an inbox for what two others bring: ``LineFeed`` lines, and the
/// client results. In each turn it takes all that has come, writes answers, records in the journal
/// what it's about to do, and hands new pushes to the client. So there is no hand-over for each
/// line.
///
/// A push that fails because the server can't be reached begins an outage: nothing else is sent but
/// one push at a time, until one has an answer.
final class Campaign {
    /// Something that ends a wait.
    enum Event: Sendable {
        case results([NumberedResult])
        case lines(LineFeed.Chunk)
        case endOfInput(PushCryptError?)
        case interruption
    }

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
    let writer: AnswerWriter
    let journal: Journal?
    let inbox: Inbox<Event>
    /// The numbers of the lines that aren't taken from the input.
    let known: NumberSet
    /// The length of the input in bytes; 0 if it isn't known.
    let inputLength: Int

    /// The pushes of the journal that aren't sent yet, the last line first.
    var journaled: [JournaledPush]
    var backlog: LineBacklog
    var feed: LineFeed?
    var inputEnd: InputEnd?
    var window = PushWindow()
    var outage: Outage?
    var closing: Closing?

    /// The end of the input.
    struct InputEnd {
        let failure: PushCryptError?
    }

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
        writer = files.writer
        journal = files.journal
        known = files.earlier.known
        journaled = files.earlier.pushes.values.sorted { $0.number > $1.number }
        backlog = LineBacklog(
            after: files.earlier.known.lengthOfStart, position: files.lines.position)
        inputLength = files.lines.length
        let inbox = Inbox<Event>()
        self.inbox = inbox
        sender = makeSender { inbox.post(.results($0)) }
        feed = LineFeed(
            files.lines, chunk: { inbox.post(.lines($0)) }, end: { inbox.post(.endOfInput($0)) })
    }

    /// Runs until all lines have answers, or until an error or an interruption has ended the
    /// campaign.
    ///
    /// - Throws: The error of the output or the journal.
    func run() throws(PushCryptError) -> Ending {
        defer { feed?.stop() }
        var events: [Event] = []
        while true {
            watchTime(Clock.now)
            let pushes = nextPushes(Clock.now)
            try writer.write()
            try record(pushes)
            for push in pushes { submit(push) }
            endDoubt()
            show()
            if let ending = ending(Clock.now) {
                try leaveJournal(ending)
                return ending
            }
            inbox.take(into: &events, until: timeToWake)
            handle(events)
            collect(&events)
            handle(events)
        }
    }

    /// Asks the campaign to end, or to end without waiting for answers if it was asked before.
    func interrupt() { inbox.post(.interruption) }

    /// Waits a moment for more results, because each turn costs some system calls.
    private func collect(_ events: inout [Event]) {
        let isWorth = window.inFlight > 64 && events.count < window.inFlight / 4
        guard isWorth, !events.isEmpty, settings.collection > 0 else { return events.removeAll() }
        Thread.sleep(forTimeInterval: settings.collection)
        inbox.take(into: &events, until: 0)
    }

    private func handle(_ events: [Event]) {
        for event in events {
            switch event {
            case .results(let results): for result in results { receive(result) }
            case .lines(let chunk): if inputEnd == nil { backlog.add(chunk) }
            case .endOfInput(let failure): inputEnd = inputEnd ?? InputEnd(failure: failure)
            case .interruption: close(.interrupted)
            }
        }
    }

    /// Hands a push to the client.
    private func submit(_ push: OpenPush) {
        window.send(push)
        sender.submit(push.push, number: push.number)
    }

    // MARK: The end

    /// Takes no more lines, because of an error of one.
    func endInput(_ failure: PushCryptError) {
        feed?.stop()
        inputEnd = InputEnd(failure: failure)
        backlog.removeAll()
    }

    /// Begins to end early; the second call ends the wait for answers.
    func close(_ ending: Ending) {
        let now = Clock.now
        guard closing == nil else {
            if case .interrupted = ending { closing?.cancellation = now }
            return
        }
        feed?.stop()
        let cancellation = now + settings.grace
        closing = Closing(
            ending: ending, cancellation: cancellation, limit: cancellation + settings.grace)
    }

    /// Returns the ending if nothing is left to do or to wait for.
    private func ending(_ now: TimeInterval) -> Ending? {
        if let closing {
            return window.inFlight == 0 || now >= closing.limit ? closing.ending : nil
        }
        guard let inputEnd, backlog.isEmpty, journaled.isEmpty, window.count == 0 else {
            return nil
        }
        if let failure = inputEnd.failure { return .failed(failure) }
        guard known.highest <= backlog.number else { return .failed(LineReader.inputIsShorter) }
        return .complete
    }

    /// The time at which a turn is due without an event.
    private var timeToWake: TimeInterval {
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

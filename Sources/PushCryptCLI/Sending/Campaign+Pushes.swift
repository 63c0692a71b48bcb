internal import Foundation
internal import PushCryptSender

/// The pushes that are next, and their record in the journal.
extension Campaign {
    /// Returns the pushes to hand to the client in this turn, after it has answered the lines
    /// without one.
    func nextPushes(_ now: TimeInterval) -> [OpenPush] {
        guard closing == nil else { return [] }
        if let outage {
            guard let time = outage.timeOfProbe, now >= time else { return [] }
            let probe = window.takeWaiting(atMost: 1)
            if let push = probe.first { self.outage?.send(push.number) }
            return probe
        }
        let repeated = window.takeWaiting()
        var new: [OpenPush] = []
        while window.count + new.count < settings.concurrency {
            guard lines.hasRoom(beside: window.count + new.count) else { break }
            do throws(PushCryptError) {
                guard let push = try nextPush() else { break }
                new.append(push)
            } catch {
                // The pushes in flight still get their answers.
                lines.endInput(error)
            }
        }
        return repeated + new
    }

    /// Returns the next push of the journal or else of the input.
    private func nextPush() throws(PushCryptError) -> OpenPush? {
        while true {
            let number: Int
            let reading: PushReader.Reading
            if let push = journaled.popLast() {
                number = push.number
                reading = try reader.read(.bytes(push.line), number: number, journaled: push)
            } else if let line = lines.nextLine() {
                number = lines.number
                if known.contains(number) { continue }
                reading = try reader.read(line, number: number)
            } else {
                return nil
            }
            switch reading {
            case .push(let push):
                warn(about: push)
                return push
            case .answer(let answer): writer.add(answer, to: number)
            }
        }
    }

    /// Warns once of an option for which a line has another value.
    private func warn(about push: OpenPush) {
        guard let option = push.ignoredOption, !hasWarned else { return }
        hasWarned = true
        Output.warning(
            """
            line \(push.number) has a header of its own, which counts instead of '\(option)'; so \
            do those of other lines
            """)
    }

    /// Records the pushes of this turn, and the answers that can't be written yet.
    func record(_ pushes: [OpenPush], after turn: AnswerWriter.Turn) throws(PushCryptError) {
        guard let journal else { return }
        journal.add(written: turn.written)
        for each in turn.waiting { journal.add(.answer(each.answer, number: each.number)) }
        let new = pushes.filter { !$0.isRecorded }.map { $0.record(mayBeAccepted: true) }
        for push in new { journal.add(push) }
        try journal.write()
        guard journal.isLong(hasPushes: window.count + new.count + journaled.count > 0) else {
            return
        }
        try writer.sync()
        let open = window.all.map { $0.record(mayBeAccepted: true) }
        try journal.replace(open + new + journaled.map { .push($0) } + writer.records)
    }

    /// Deletes the journal of a complete campaign, or keeps what the next run needs.
    func leaveJournal(_ ending: Ending) throws(PushCryptError) {
        try writer.sync()
        guard let journal else { return }
        if case .complete = ending { return journal.delete() }
        try journal.replace(window.records + journaled.map { .push($0) } + writer.records)
    }
}

extension OpenPush {
    /// Returns the record of the push in a journal.
    func record(mayBeAccepted: Bool) -> JournalRecord {
        .push(JournaledPush(number: number, id: id, mayBeAccepted: mayBeAccepted, line: line.bytes))
    }
}

extension PushWindow {
    /// The records of all pushes at the end of a campaign.
    fileprivate var records: [JournalRecord] {
        all.map { $0.record(mayBeAccepted: $0.mayBeAccepted || isInFlight($0.number)) }
    }
}

extension AnswerWriter {
    /// The records of all answers that wait.
    fileprivate var records: [JournalRecord] {
        allWaiting.map { .answer($0.answer, number: $0.number) }
    }
}

internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The results of an earlier run, from its output and its journal.
struct EarlierRun {
    /// The numbers of the lines with answers in the output.
    private(set) var written = NumberSet()
    /// The number of those answers, by kind.
    private(set) var counts = AnswerCounts()
    /// The end of the output.
    private(set) var mark = OutputMark()
    /// The pushes that the client had, and that have no answer, by the numbers of their lines.
    private(set) var pushes: [Int: JournaledPush] = [:]
    /// The answers that wait for the answer to an earlier line, by the numbers of their lines.
    private(set) var answers: [Int: LineAnswer] = [:]
    /// The numbers of the lines that aren't taken from the input.
    private(set) var known = NumberSet()

    /// No earlier run.
    init() {}

    /// Reads the whole lines of an output, and its journal.
    ///
    /// - Throws: The error of a journal that is damaged or belongs to another output.
    init(_ output: String, lines: Int, keepsOrder: Bool, isRetry: Bool) throws(PushCryptError) {
        let journal = try JournalFile(of: output, keepsOrder: keepsOrder)
        let allMarks = journal?.marks ?? []
        var marks = allMarks[...]
        try check(&marks, output)
        let reader = LineReader(try .reading(output), maximumLength: Line.maximumLengthOfAnswer)
        while mark.lines < lines {
            for line in try reader.next(atMost: min(lines - mark.lines, 256)) {
                try add(line, of: output, keepsOrder: keepsOrder, isRetry: isRetry)
                try check(&marks, output)
            }
        }
        // After a power failure, the output may lack its last answers. If it lacks all that the
        // journal knows, it's another one.
        let hasFirstMark = allMarks.isEmpty || marks.count < allMarks.count
        guard hasFirstMark, marks.isEmpty || mark.lines > 0 else { throw Self.otherOutput(output) }
        known = written
        guard let journal else { return }
        try journal.forEachRecord { add($0) }
        for number in pushes.keys.sorted() + answers.keys.sorted() { known.insert(number) }
    }

    /// The records of a new journal, whose pushes are about to be handed to the client.
    var records: [JournalRecord] {
        let pushes = pushes.values.sorted { $0.number < $1.number }.map { push in
            JournalRecord.push(
                JournaledPush(
                    number: push.number, id: push.id, mayBeAccepted: true, line: push.line))
        }
        return pushes + answers.sorted { $0.key < $1.key }.map { .answer($0.value, number: $0.key) }
    }

    /// Adds a line of the output.
    private mutating func add(
        _ line: Line, of output: String, keepsOrder: Bool, isRetry: Bool
    ) throws(PushCryptError) {
        let place = mark.lines + 1
        guard case .bytes(let bytes) = line,
            let answer = try? LineMembers(scanning: line, number: place)
        else {
            throw Self.noAnswer(place, output)
        }
        let hasError = answer["error"] != nil
        guard hasError || answer["status"] != nil else { throw Self.noAnswer(place, output) }
        mark.add(bytes)
        counts.add(!hasError ? .accepted : answer["payload"] != nil ? .unsent : .refused)
        let number = answer["line"].flatMap { answer.integer($0) }.flatMap { Int(exactly: $0) }
        guard !keepsOrder else {
            guard hasError || isRetry || number == nil || number == place else {
                throw PushCryptError(
                    .fileExists, "\(output) was begun in another order. Add '--unordered'.")
            }
            written.insert(place)
            return
        }
        guard let number, number > 0, written.insert(number) else {
            throw PushCryptError(
                .fileExists, "\(output) was begun in another order. Remove '--unordered'.")
        }
    }

    /// Adds a record of the journal, unless the output has the answer.
    private mutating func add(_ record: JournalRecord) {
        switch record {
        case .mark: break
        case .push(let push):
            if !written.contains(push.number) { pushes[push.number] = push }
        case .answer(let answer, let number):
            guard !written.contains(number) else { return }
            pushes[number] = nil
            answers[number] = answer
        }
    }

    /// Checks the places in the output that are reached, and removes them.
    private func check(_ marks: inout ArraySlice<OutputMark>, _ output: String)
        throws(PushCryptError)
    {
        while let first = marks.first, first.lines <= mark.lines {
            guard first == mark else { throw Self.otherOutput(output) }
            marks.removeFirst()
        }
    }

    private static func otherOutput(_ output: String) -> PushCryptError {
        PushCryptError(
            .fileExists,
            """
            \(Journal.path(for: output)) belongs to another output than \(output), or that has \
            lost answers. Restore \
            them together, or delete the journal to send up to all pushes without an answer again.
            """)
    }

    private static func noAnswer(_ number: Int, _ output: String) -> PushCryptError {
        PushCryptError(
            .fileExists,
            "Line \(number) of \(output) isn't an answer of 'send'. Name an output of 'send'.")
    }
}

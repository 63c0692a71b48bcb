internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The input and the output of a campaign, and what an earlier run has left.
struct CampaignFiles {
    let lines: LineReader
    let earlier: EarlierRun
    let writer: AnswerWriter
    /// The journal of an output file; `nil` for standard output.
    let journal: Journal?

    /// Opens the files, skips the lines that need no more work, and removes a torn end of the
    /// output.
    ///
    /// An earlier output replaces the input.
    init(
        _ data: DataOptions, resumes: Bool, keepsOrder: Bool, retrying earlierOutput: String?
    ) throws(PushCryptError) {
        if let earlierOutput {
            try Self.checkIsComplete(earlierOutput)
            lines = LineReader(
                try .reading(earlierOutput), maximumLength: Line.maximumLengthOfAnswer)
        } else {
            lines = LineReader(try Input.open(data.input, flags: 0))
        }
        let journalPath = data.output == "-" ? nil : Journal.path(for: data.output)
        if let journalPath, !resumes { try Self.checkIsMissing(journalPath) }
        let output = try LineOutput(data, isPrivate: false, resumes: resumes)
        let earlier =
            journalPath == nil
            ? EarlierRun()
            : try EarlierRun(
                data.output, lines: output.lines, keepsOrder: keepsOrder,
                isRetry: earlierOutput != nil)
        self.earlier = earlier
        try lines.skip(earlier.known.lengthOfStart)
        try output.removeTornLine()
        journal = try journalPath.map { (path) throws(PushCryptError) in
            try Journal(path, keepsOrder: keepsOrder, at: earlier.mark, records: earlier.records)
        }
        let queue = AnswerQueue(
            keepsOrder: keepsOrder, after: earlier.written.lengthOfStart, earlier.answers)
        writer = AnswerWriter(output, queue, counts: earlier.counts, position: lines.position)
    }

    private static func checkIsComplete(_ output: String) throws(PushCryptError) {
        guard FileSystem.stamp(of: Journal.path(for: output)) == nil else {
            throw PushCryptError(
                .fileExists, "\(output) isn't complete. Continue it with '--resume' first.")
        }
    }

    private static func checkIsMissing(_ journal: String) throws(PushCryptError) {
        guard FileSystem.stamp(of: journal) == nil else {
            throw PushCryptError(
                .fileExists,
                "\(journal) is the journal of an incomplete output. Continue that with '--resume'.")
        }
    }
}

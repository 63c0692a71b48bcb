internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The options of a command that answers each line of its input.
struct LineOptions: ParsableArguments {
    @Flag(help: "Answer each line of the input with one line, as described above.") var lines =
        false

    @Flag(
        help: "With '--lines': skip the lines that the output file answers, and append the others.")
    var resume = false

    func validate() throws {
        guard lines || !resume else {
            throw ValidationError("'--resume' requires '--lines'. Add it.")
        }
    }

    /// Answers the lines after those that the output has.
    func run(_ data: DataOptions, isPrivate: Bool, _ filter: () throws -> LineFilter<some LineWork>)
        throws
    {
        guard !resume || data.output != "-" else {
            throw ValidationError("'--resume' continues a file. Add '-o FILE'.")
        }
        do {
            let filter = try filter()
            let reader = LineReader(try Input.open(data.input, flags: 0))
            let writer = try writer(data, isPrivate: isPrivate, after: reader)
            let result = waiting { await filter.answerAll(reader, writer) }
            guard try result.get() == 0 else { throw ExitStatus.input }
        } catch let error as PushCryptError where error.code == .outputClosed {
            // The other lines have no answer.
            throw ExitStatus.failure
        } catch let error as PushCryptError where ExitStatus(error.code) == .input {
            // The status of invalid input would mean that all lines are answered.
            Output.error(error)
            throw ExitStatus.failure
        }
    }

    /// Opens the output, and has the reader skip the lines that it answers.
    private func writer(
        _ data: DataOptions, isPrivate: Bool, after reader: LineReader
    ) throws(PushCryptError) -> LineWriter {
        let output = try LineOutput(data, isPrivate: isPrivate, resumes: resume)
        try reader.skip(output.lines)
        try output.removeTornLine()
        let progress = LineProgress(
            isVisible: !output.isTerminal, skippedLines: output.lines, skippedBytes: reader.position
        )
        return LineWriter(output, progress, inputLength: reader.length)
    }
}

/// The number of threads that answer lines.
struct ThreadOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With '--lines': the number of threads. Default: all cores.", valueName: "number"))
    var threads: Int?

    func validate() throws {
        guard (1...1024).contains(threads ?? 1) else {
            throw ValidationError("Give '--threads' a number from 1 to 1024.")
        }
    }

    func check(beside lines: LineOptions) throws {
        guard lines.lines || threads == nil else {
            throw ValidationError("'--threads' requires '--lines'. Add it.")
        }
    }

    /// Returns the filter that does the work on the threads.
    func filter<Work: LineWork>(_ work: Work) -> LineFilter<Work> {
        let threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
        return LineFilter(
            work: work, batchSize: 16, concurrency: threads, maximumUnwritten: 2 * threads + 2)
    }
}

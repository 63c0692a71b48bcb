internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The options of a command that answers each line of its input.
struct LineOptions: ParsableArguments {
    @Flag(help: "Answer each line of the input with one line, as described above.") var lines = false

    @Flag(help: "With '--lines': skip the lines that the output file answers, and append the others.")
    var resume = false

    func validate() throws {
        guard lines || !resume else { throw ValidationError("'--resume' requires '--lines'. Add it.") }
    }

    /// Answers the lines behind those that the output has.
    func run(_ data: DataOptions, isPrivate: Bool, _ filter: () throws -> LineFilter<some LineWork>) throws {
        guard !resume || data.output != "-" else {
            throw ValidationError("'--resume' continues a file. Add '-o FILE'.")
        }
        // A write to a closed pipe then fails, and does not end the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            let filter = try filter()
            let reader = LineReader(try Input.open(data.input, flags: 0))
            let output = try LineOutput(data, isPrivate, resumes: resume)
            try reader.skip(output.lines)
            try output.removeTornLine()
            var progress = LineProgress(isVisible: !output.isTerminal, skipped: output.lines, reader.position)
            try filter.run(reader, output, &progress)
            try output.finish()
            progress.end()
            guard progress.refused == 0 else { throw ExitStatus.input }
        } catch let error as PushCryptError where ExitStatus(error.code) == .input {
            // This status means that all lines are answered.
            Output.error(error)
            throw ExitStatus.failure
        }
    }
}

/// The options of a command that answers lines on several threads.
struct ThreadOptions: ParsableArguments {
    @OptionGroup var options: LineOptions

    @Option(help: ArgumentHelp("With '--lines': the number of threads. Default: all cores.", valueName: "number"))
    var threads: Int?

    var lines: Bool { options.lines }

    func validate() throws {
        guard lines || threads == nil else { throw ValidationError("'--threads' requires '--lines'. Add it.") }
        guard (1...1024).contains(threads ?? 1) else {
            throw ValidationError("Give '--threads' a number from 1 to 1024.")
        }
    }

    func run(_ data: DataOptions, isPrivate: Bool, _ work: () throws -> some LineWork) throws {
        try options.run(data, isPrivate: isPrivate) {
            let threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
            return LineFilter(work: try work(), lines: 16, concurrency: threads, window: 2 * threads + 2)
        }
    }
}

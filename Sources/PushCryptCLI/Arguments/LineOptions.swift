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

    /// Answers the lines after those that the output has, on a number of threads.
    func run(
        _ data: DataOptions, isPrivate: Bool, threads: Int, _ work: () throws -> some LineWork
    ) throws {
        guard !resume || data.output != "-" else {
            throw ValidationError("'--resume' continues a file. Add '-o FILE'.")
        }
        do {
            let work = try work()
            let reader = LineReader(try Input.open(data.input, flags: 0))
            let output = try LineOutput(data, isPrivate: isPrivate, resumes: resume)
            try reader.skip(output.lines)
            try output.removeTornLine()
            let queue = AnswerQueue(keepsOrder: true, after: output.lines)
            let writer = AnswerWriter(output, queue, position: reader.position)
            let pool = LinePool(work, threads: threads, reader: reader, writer: writer)
            guard try pool.run().refused == 0 else { throw ExitStatus.input }
        } catch let error as PushCryptError where error.code == .outputClosed {
            // The other lines have no answer.
            throw ExitStatus.failure
        } catch let error as PushCryptError where ExitStatus(error.code) == .input {
            // The status of invalid input would mean that all lines are answered.
            Output.error(error)
            throw ExitStatus.failure
        }
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

    /// The number of threads.
    var count: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }
}

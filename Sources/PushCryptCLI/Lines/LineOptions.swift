internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The options of a command that answers each line of its input.
struct LineOptions: ParsableArguments {
    @Flag(help: "Answer each line of the input with one line, as described above.")
    var lines = false

    @Option(help: ArgumentHelp("With '--lines': the number of threads. Default: all cores.", valueName: "number"))
    var threads: Int?

    @Flag(help: "With '--lines': skip the lines that the output file answers, and append the others.")
    var resume = false

    func validate() throws {
        guard lines || threads == nil && !resume, (1...1024).contains(threads ?? 1) else {
            throw ValidationError("'--threads', from 1 to 1024, and '--resume' require '--lines'. Correct them.")
        }
    }

    func run(_ data: DataOptions, isPrivate: Bool, _ work: () throws -> some LineWork) throws {
        guard !resume || data.output != "-" else {
            throw ValidationError("'--resume' continues a file. Add '-o FILE'.")
        }
        // A write to a closed pipe then fails, and does not end the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            let filter = LineFilter(work: try work(), threads: threads ?? ProcessInfo.processInfo.activeProcessorCount)
            var reader = LineReader(try Input.open(data.input, flags: 0))
            guard try filter.run(&reader, LineOutput(data, isPrivate, resumes: resume)) else { throw ExitStatus.input }
        } catch let error as PushCryptError where ExitStatus(error.code) == .input {
            // This status means that all lines are answered.
            Output.error(error)
            throw ExitStatus.failure
        }
    }
}

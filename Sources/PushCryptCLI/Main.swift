internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

@main
enum Main {
    /// Read-only files instead of closed streams, so that no output file gets hints and errors.
    private static let reserved = (0..<3).map { _ in FileHandle(forReadingAtPath: "/dev/null") }

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard !arguments.contains(where: { $0.contains("\u{FFFD}") }) else {
            // Swift replaces invalid bytes by this character, so that two file names could become
            // one.
            Output.error("An argument isn't UTF-8. Rename the file.")
            exit(ExitStatus.usage.rawValue)
        }
        _ = reserved
        TerminalWidth.widenHelp()
        // A write beyond the limit of the file size (`ulimit -f`), or to a closed pipe, then fails
        // and doesn't end the process.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        exit(run(["-V", "version"].contains(arguments.first) ? ["--version"] : arguments).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitStatus {
        if let mistake = Usage.mistakeInCommands(arguments) { return report(mistake) }
        do {
            var command = try PushCrypt.parseAsRoot(arguments)
            try command.run()
            return .success
        } catch let error as PushCryptError {
            return report(error)
        } catch let status as ExitStatus {
            return status
        } catch  where PushCrypt.exitCode(for: error) == .success {
            // Help and the version are data.
            do {
                try Output.line(PushCrypt.fullMessage(for: error))
                return .success
            } catch {
                return report(error)
            }
        } catch {
            return report(Usage.mistake(error, arguments))
        }
    }

    private static func report(_ error: PushCryptError) -> ExitStatus {
        // The reader of a pipe, such as `head`, has all that it wanted.
        guard error.code != .outputClosed else { return .success }
        Output.error(error)
        return ExitStatus(error.code)
    }

    private static func report(_ mistake: Usage.Mistake) -> ExitStatus {
        Output.error(mistake.message)
        Output.hint(mistake.hint)
        return .usage
    }
}

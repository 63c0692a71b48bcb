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
            // Swift replaces invalid bytes by this character, so that two file names could become one.
            Output.error("An argument isn't UTF-8. Rename the file.")
            exit(ExitStatus.usage.rawValue)
        }
        _ = reserved
        Output.widenHelp()
        // A write beyond the limit of the file size (`ulimit -f`) then fails, and does not end the process.
        signal(SIGXFSZ, SIG_IGN)
        exit(run(["-V", "version"].contains(arguments.first) ? ["--version"] : arguments).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitStatus {
        if let mistake = Usage.mistakeInCommands(arguments) { return report(mistake) }
        do {
            var command = try PushCrypt.parseAsRoot(arguments)
            try command.run()
            return .success
        } catch let error as PushCryptError {
            Output.error(error)
            return ExitStatus(error.code)
        } catch let status as ExitStatus {
            return status
        } catch  where PushCrypt.exitCode(for: error) == .success {
            // Help and the version are data.
            do {
                try Output.line(PushCrypt.fullMessage(for: error))
                return .success
            } catch {
                return .failure
            }
        } catch {
            return report(Usage.mistake(error, arguments))
        }
    }

    private static func report(_ mistake: Usage.Mistake) -> ExitStatus {
        Output.error(mistake.message)
        Output.hint(mistake.hint)
        return .usage
    }
}

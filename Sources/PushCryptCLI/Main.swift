internal import ArgumentParser
internal import Foundation
internal import PushCryptCore

/// Where the process begins, and where every failure becomes an exit status.
@main
enum Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard !arguments.contains(where: { $0.contains("\u{FFFD}") }) else {
            // Swift has put this character in the place of others: two names of files would be one.
            Output.error("An argument is not UTF-8. Give the file a name that is.")
            exit(ExitStatus.usage.rawValue)
        }
        exit(run(arguments))
    }

    private static func run(_ arguments: [String]) -> Int32 {
        do {
            var command = try PushCrypt.parseAsRoot(arguments)
            try command.run()
            return ExitStatus.done.rawValue
        } catch let error as PushCryptError {
            Output.error(error)
            return ExitStatus(error.code).rawValue
        } catch let status as ExitStatus {
            return status.rawValue
        } catch  where PushCrypt.exitCode(for: error) == .success && Usage.asksForHelp(arguments) {
            // Help and the version, which somebody has asked for: data.
            return printHelp(PushCrypt.fullMessage(for: error))
        } catch  where PushCrypt.exitCode(for: error) == .success {
            Output.error("A command is missing, or there is none of that name.")
            Output.hint("'pushcrypt --help' lists the commands")
            return ExitStatus.usage.rawValue
        } catch {
            Output.error(Usage.withoutSecrets(PushCrypt.message(for: error), arguments))
            let names = PushCrypt.configuration.subcommands.compactMap { $0.configuration.commandName }
            if let command = arguments.first, names.contains(command) {
                Output.hint("'pushcrypt help \(command)' explains the command")
            } else {
                Output.hint("the commands are \(names.joined(separator: ", ")); 'pushcrypt help seal' explains one")
            }
            return ExitStatus.usage.rawValue
        }
    }

    private static func printHelp(_ text: String) -> Int32 {
        do {
            try Output.data(Array(text.utf8), newline: .always)
            return ExitStatus.done.rawValue
        } catch {
            return ExitStatus.trouble.rawValue
        }
    }
}

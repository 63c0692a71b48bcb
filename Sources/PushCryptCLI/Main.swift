internal import ArgumentParser
internal import Foundation
internal import PushCryptCore

/// Where the process begins, and where every failure becomes an exit status.
@main
enum Main {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
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
        } catch  where PushCrypt.exitCode(for: error) == .success {
            // Help and the version, which somebody has asked for: data.
            return printHelp(PushCrypt.fullMessage(for: error))
        } catch {
            Output.error(PushCrypt.message(for: error))
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

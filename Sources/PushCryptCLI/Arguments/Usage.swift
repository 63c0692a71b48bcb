internal import ArgumentParser

/// What is asked for on a command line, and what of a wrong one is repeated.
enum Usage {
    /// Whether somebody wants to read help, and not to do something.
    static func asksForHelp(_ arguments: [String]) -> Bool {
        guard !arguments.isEmpty else { return true }
        guard arguments.first == "help" else {
            return arguments.contains {
                $0 == "-h" || $0.hasPrefix("--help") || $0 == "--version" || $0.contains("completion")
            }
        }
        var commands: [any ParsableCommand.Type] = [PushCrypt.self]
        for name in arguments.dropFirst() where !name.hasPrefix("-") {
            let found = commands.flatMap { $0.configuration.subcommands }.filter {
                $0.configuration.commandName == name
            }
            guard !found.isEmpty || name == "help" else { return false }
            commands = found
        }
        return true
    }

    /// A message of the parser's without those arguments that are, or may be, secrets: it goes into logs and mails.
    static func withoutSecrets(_ message: String, _ arguments: [String]) -> String {
        let mayHavePassphrase =
            message.contains("--passphrase-fd")
            || (message.lowercased().contains("unexpected argument")
                && arguments.contains { $0 == "--protect" || $0.hasPrefix("--passphrase") })
        return arguments.reduce(message) { message, argument in
            if isContents(argument) { return message.replacing(argument, with: "(not repeated)") }
            guard mayHavePassphrase, !argument.hasPrefix("-") else { return message }
            return message.replacing("'\(argument)'", with: "(not repeated)")
        }
    }

    /// Whether it is a key, a keyring or a payload, and not a name.
    private static func isContents(_ argument: String) -> Bool {
        argument.contains { $0 == "{" || $0 == "\"" || $0.isNewline }
            || (argument.utf8.count >= 43 && !argument.contains { $0 == "/" || $0 == "." })
    }
}

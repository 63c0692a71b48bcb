internal import ArgumentParser

/// The mistakes of a command line, told without its secrets.
enum Usage {
    /// A message, and a hint with the next step.
    struct Mistake {
        let message: String
        let hint: String
    }

    /// Returns the mistake in the names of commands, if there is one.
    static func mistakeInCommands(_ arguments: [String]) -> Mistake? {
        let call = Call(arguments)
        let names = call.command.configuration.subcommands.compactMap {
            $0.configuration.commandName
        }
        let asksForHelp = call.rest.isEmpty && (call.path.isEmpty || arguments.first == "help")
        guard !names.isEmpty, !asksForHelp else { return nil }
        let help = (["pushcrypt", "help"] + call.path).joined(separator: " ")
        let hint = "the commands are \(names.joined(separator: ", ")); '\(help)' explains them"
        guard let word = call.rest.first else {
            return Mistake(message: "A command is missing after '\(call.path[0])'.", hint: hint)
        }
        guard !word.hasPrefix("-"), !names.contains(word), word != "help" else { return nil }
        let other = commandsOfOtherTools[word]
        let name = names.first { $0 == other } ?? nearest(to: word, among: names)
        let suggestion = name.map { " Did you mean '\($0)'?" } ?? ""
        return Mistake(
            message: withoutSecrets("There is no command '\(word)'.\(suggestion)", arguments),
            hint: hint)
    }

    /// Returns the mistake for which the parser rejected a command line.
    static func mistake(_ error: any Error, _ arguments: [String]) -> Mistake {
        let call = Call(arguments)
        let name = call.path.isEmpty ? "seal" : call.path.joined(separator: " ")
        let hint = "'pushcrypt help \(name)' explains \(call.path.isEmpty ? "a" : "the") command"
        #if !APNs
        if [["send"], ["testserver"]].contains(call.path) {
            return Mistake(
                message: "This tool was built without '\(name)'.",
                hint: "build it in: '\(ToolVersion.buildWithAPNs)'")
        }
        #endif
        let isGroup = !call.command.configuration.subcommands.isEmpty
        if isGroup, let option = call.rest.first?.prefix(while: { $0 != "=" }),
            option.hasPrefix("-"),
            !mayBeSecret(String(option))
        {
            return Mistake(message: "A command is missing before '\(option)'.", hint: hint)
        }
        let message = PushCrypt.message(for: error).replacing(":\n  - ", with: ": ").replacing(
            "\n  - ", with: ", ")
        return Mistake(message: withoutSecrets(message, arguments), hint: hint)
    }

    /// The command that a command line calls.
    private struct Call {
        /// The names of the commands at the start, such as `keys` and `prune`.
        private(set) var path: [String] = []
        /// The type of the last command.
        private(set) var command: any ParsableCommand.Type = PushCrypt.self
        /// The other arguments.
        private(set) var rest: ArraySlice<String>

        init(_ arguments: [String]) {
            rest = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
            while let name = rest.first, let next = subcommand(name) {
                path.append(name)
                command = next
                rest = rest.dropFirst()
            }
        }

        private func subcommand(_ name: String) -> (any ParsableCommand.Type)? {
            command.configuration.subcommands.first { $0.configuration.commandName == name }
        }
    }

    /// The commands for the words of other tools.
    private static let commandsOfOtherTools = [
        "encrypt": "seal", "decrypt": "open", "verify": "open", "rotate": "keygen",
        "genkey": "keygen",
    ]

    /// Returns a name that begins with the word, or the name that needs the fewest inserted and
    /// removed letters, unless it needs more than a third of the word.
    private static func nearest(to word: String, among names: [String]) -> String? {
        if word.count > 3, let longer = names.first(where: { $0.hasPrefix(word) }) { return longer }
        let near = names.map { (name: $0, distance: $0.difference(from: word).count) }.min {
            $0.distance < $1.distance
        }
        return near.flatMap {
            $0.distance <= max(2, word.count / 3) && $0.distance < word.count ? $0.name : nil
        }
    }

    /// Removes from a message the arguments that may be secrets: messages go into logs.
    private static func withoutSecrets(_ message: String, _ arguments: [String]) -> String {
        let mayHavePassphrase = arguments.contains {
            $0 == "--protect" || $0.contains("passphrase")
        }
        let parts = arguments.flatMap {
            [$0] + $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        let values = parts.filter { !$0.isEmpty }
        return values.reduce(message) { message, value in
            if mayBeSecret(value) { return message.replacing(value, with: "(not repeated)") }
            guard mayHavePassphrase, !value.hasPrefix("-") else { return message }
            return message.replacing("'\(value)'", with: "(not repeated)")
        }
    }

    /// Returns a Boolean value that indicates whether an argument may be a key, a keyring or a
    /// payload.
    private static func mayBeSecret(_ argument: String) -> Bool {
        PathArgument.isContents(argument)
            || (argument.utf8.count >= 43 && !argument.contains { $0 == "/" || $0 == "." })
    }
}

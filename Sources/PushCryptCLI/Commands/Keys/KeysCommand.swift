internal import ArgumentParser

/// Looks after keyrings.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Look at a keyring, and after it.",
        discussion: """
            A key is pending, primary, retired, and then destroyed. The primary key is in use; pending keys are prepared; \
            retired keys still open what is under way, for 30 days and 48 hours. A KEY is named by its id, or the \
            beginning of it.
            """,
        subcommands: [
            KeysListCommand.self, KeysPublicCommand.self, KeysPromoteCommand.self, KeysRetireCommand.self,
            KeysPruneCommand.self, KeysCheckCommand.self,
        ])
}

internal import ArgumentParser
internal import Foundation
internal import PushCryptAPNs

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find the step from the server to a device that fails.",
        discussion: """
            Standard output gets one line per step: keyring, list, secret, recipient, credentials, \
            push, answer. A step that fails has a message, a fix and a name. A step that lacks its \
            options isn't checked. The exit status is 65 if a step fails. Nothing that the server \
            stores is changed.

            The row is the JSON of the library's Recipient. With '--p8', the device gets a \
            challenge in a background push. Its app answers to your server, which updates the row. \
            The command reads the row again until then. If your server requires proofs, give its \
            secret with '--challenge-secret'. A device answers once an hour.

            '--recipient-command' is a program with arguments, separated by spaces, without a \
            shell. It prints the row.

            Sending requires a build with '\(ToolVersion.buildWithAPNs)'.

            Example: pushcrypt doctor --keyring server.jwks --list signers.jws --root root.jwk \
            --recipient row.json
            Example: pushcrypt doctor --keyring server.jwks --p8 AuthKey.p8 --key-id ABC123DEFG \
            --team-id DEF123GHIJ --topic com.example.app --recipient-command './row anna 0a1b2c'
            """)

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var list: ListOption

    @Option(
        help: ArgumentHelp(
            "The secret under which your server issues challenges.", valueName: "file"),
        completion: .file())
    var challengeSecret: String?

    @Option(help: ArgumentHelp("The device's row.", valueName: "file"), completion: .file())
    var recipient: String?
    @Option(help: ArgumentHelp("The program that prints the device's row.", valueName: "command"))
    var recipientCommand: String?

    @Option(
        help: ArgumentHelp(
            "The key of the developer account for APNs (AuthKey_….p8).", valueName: "file"),
        completion: .file())
    var p8: String?

    @Option(help: ArgumentHelp("The ID of that key.", valueName: "id")) var keyId: String?
    @Option(help: ArgumentHelp("The ID of the team in the developer account.", valueName: "id"))
    var teamId: String?
    @Option(help: ArgumentHelp("The app's bundle ID.", valueName: "topic")) var topic: String?
    @OptionGroup var server: APNsServerOptions

    @Flag(
        help:
            """
            The keyring and the key for APNs are mounted secrets: links, or files that others may \
            read.
            """)
    var mounted = false

    @Option(
        help: ArgumentHelp(
            "The longest wait for the answer. 0s: don't wait. Default: 60s.", valueName: "period"),
        transform: Period.seconds)
    var wait: TimeInterval = 60

    @Flag(help: "Print a JSON object.") var json = false

    func validate() throws {
        for (path, option) in [(challengeSecret, "--challenge-secret"), (recipient, "--recipient")]
        {
            try PathArgument.check(path, for: option)
        }
        guard recipient == nil || recipientCommand == nil else {
            throw ValidationError("Give '--recipient' or '--recipient-command', not both.")
        }
        if let recipientCommand, SignCommand.words(of: recipientCommand).isEmpty {
            throw ValidationError("The value of '--recipient-command' is empty. Name a program.")
        }
        try access?.check()
    }

    /// The access to APNs; `nil` without its options.
    private var access: APNsAccess? {
        get throws {
            let given = [p8, keyId, teamId, topic].compactMap(\.self)
            guard !given.isEmpty else { return nil }
            guard let p8, let keyId, let teamId, topic != nil else {
                throw ValidationError(
                    "Give '--p8', '--key-id', '--team-id' and '--topic' together.")
            }
            return APNsAccess(
                p8: p8, keyID: keyId, teamID: teamId, isMounted: mounted, server: server)
        }
    }

    func run() throws {
        let report = try examine()
        try Output.line(json ? report.json() : report.text)
        if report.hasErrors { throw ExitStatus.input }
    }

    /// Examines all steps whose options are given.
    func examine() throws -> DoctorReport {
        var row: DoctorRow?
        if let recipient { row = DoctorRow(source: .file(recipient)) }
        if let recipientCommand { row = DoctorRow(source: .command(recipientCommand)) }
        var examination = DoctorExamination(
            row: row, access: try access, topic: topic ?? "", wait: wait,
            hasSecret: challengeSecret != nil)
        try examination.run(keyring.file(isMounted: mounted), list, secret: challengeSecret)
        return examination.report
    }
}

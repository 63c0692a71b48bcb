internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a keyring file: owner, mode, contents, and that all key pairs match.",
        discussion: """
            The file is not modified. The exit status is 65 if the file is invalid or older than \
            the known one, and 1 if it or its copy cannot be read. Warns of keys that are due to \
            be destroyed, of a primary key that is older than a year, and of a pending signing key \
            that waits longer than a schedule of 80 days lets it.

            With '--recipients', standard output gets a table: how many devices accept which key \
            of a server. With '--list', the list that the server hands out is checked too: \
            signature, expiration, and its keys. With '--backup' or '--not-older-than', a keyring \
            that is older than the known one is the error older-keyring.

            For monitoring, '--strict' exits with 3 if there is a warning, and '--json' prints one \
            object: "path", "use", "generation", the keys as "primary", "pending" and "retired" \
            with "ageInDays", "list" with "daysLeft", "recipients", and "findings" with \
            "severity", "code" and "text".

            Example: pushcrypt keys check --keyring server.jwks
            Example: pushcrypt keys check --list signers.jws --root root.jwk --recipients \
            devices.ndjson
            Example: pushcrypt keys check --strict --json --backup /backup/server.jwks
            """)

    @OptionGroup var keyring: KeyringOption
    @OptionGroup var list: ListOption
    @OptionGroup var recipients: RecipientsOption
    @OptionGroup var backup: BackupOption

    @Flag(help: KeyringOption.mountedHelp) var mounted = false
    @Flag(help: "Exit with status 3 if there is a warning.") var strict = false
    @Flag(help: "Print one JSON object instead of the table.") var json = false

    func validate() throws { try recipients.check(beside: keyring) }

    func run() throws {
        var report: KeyringReport
        do throws(PushCryptError) {
            report = try keyring.perform(
                KeyringExamination(list: list, recipients: recipients, backup: backup),
                isMounted: mounted)
            // The passphrase may be the one of the copy.
            if backup.backup == nil,
                let text = try keyring.file(isMounted: mounted).uselessPassphrase
            {
                report.findings.insert(.warning("useless-passphrase", text), at: 0)
            }
        } catch {
            Output.error(error)
            if json { try Output.line(KeyringReport.json(of: error, path: keyring.path)) }
            let unreadable: [PushCryptError.Code] = [
                .fileNotFound, .fileSystemError, .passphraseRequired, .wrongPassphrase,
                .sodiumUnavailable,
            ]
            throw unreadable.contains(error.code) ? ExitStatus.failure : ExitStatus.input
        }
        for finding in report.findings { finding.display() }
        if json {
            try Output.line(report.json())
        } else if !report.table.isEmpty {
            try Output.line(report.table.joined(separator: "\n"))
        }
        if strict && report.hasWarnings { throw ExitStatus.warning }
    }
}

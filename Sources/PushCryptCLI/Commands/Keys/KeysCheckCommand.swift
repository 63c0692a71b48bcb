internal import ArgumentParser
internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// Checks a keyring file.
struct KeysCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Check a keyring file: its owner and mode, its contents, and that every private half belongs to its public one.",
        discussion: """
            Nothing is mended. The exit status is 65 where something is wrong with the file, 1 where it cannot be read. \
            Keys that are due to be destroyed, and a primary key older than a year, are warned of.
            """)

    @OptionGroup var keyring: KeyringOption

    func run() throws {
        let result: Checked
        do throws(PushCryptError) {
            result = try keyring.perform(Work(now: Date()))
        } catch {
            Output.error(error)
            let cannotSay: [PushCryptError.Code] = [
                .fileNotFound, .fileSystemError, .passphraseRequired, .wrongPassphrase, .sodiumUnavailable,
            ]
            throw cannotSay.contains(error.code) ? ExitStatus.trouble : ExitStatus.input
        }
        if keyring.passphrase.isGiven, try !KeyUse.isProtected(keyring.path) {
            Output.warning("the keyring is not under a passphrase, though one was given")
        }
        for warning in result.warnings { Output.warning(warning) }
        Output.hint(result.summary)
    }

    private struct Checked {
        let summary: String
        let warnings: [String]
    }

    private struct Work: KeyringWork {
        let now: Date

        func run<Key: PrivateKey>(_ file: KeyringFile<Key>, _ use: KeyUse) throws(PushCryptError) -> Checked {
            let ring = try file.read()
            var warnings: [String] = []
            do throws(PushCryptError) {
                let due = try ring.due(at: now).count
                if due > 0 {
                    let what = due == 1 ? "1 retired key is" : "\(due) retired keys are"
                    warnings.append("\(what) due to be destroyed: 'pushcrypt keys prune'")
                }
            } catch {
                warnings.append(error.reason)
            }
            if now.timeIntervalSince(ring.primary.created) > 366 * 24 * 3600 {
                warnings.append("the primary key is more than a year old: 'pushcrypt keygen' rotates it")
            }
            let summary =
                "\(file.path) is in order: generation \(ring.generation), use \(use.rawValue), 1 primary, "
                + "\(ring.pending.count) pending, \(ring.retired.count) retired"
            return Checked(summary: summary, warnings: warnings)
        }
    }
}

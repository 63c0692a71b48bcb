internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysCheckCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a keyring file: owner, mode, contents, and that all key pairs match.",
        discussion: """
            The file is not modified. The exit status is 65 if the file is invalid, 1 if it cannot be read. Warns of \
            keys that are due to be destroyed, and of a primary key that is older than a year.

            Example: pushcrypt keys check --keyring server.jwks
            """)

    @OptionGroup var keyring: KeyringOption

    @Flag(help: KeyringOption.mountedHelp) var mounted = false

    func run() throws {
        do throws(PushCryptError) {
            _ = try describe()
        } catch {
            Output.error(error)
            let unreadable: [PushCryptError.Code] = [
                .fileNotFound, .fileSystemError, .passphraseRequired, .wrongPassphrase, .sodiumUnavailable,
            ]
            throw unreadable.contains(error.code) ? ExitStatus.failure : ExitStatus.input
        }
    }

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let ring = try file.read()
        let now = Date()
        do throws(PushCryptError) {
            let due = try ring.expiredKeys(at: now).count
            if due > 0 {
                Output.warning(
                    "\(due) retired \(due == 1 ? "key is" : "keys are") due: 'pushcrypt keys prune' destroys them")
            }
        } catch {
            Output.warning(error.reason)
        }
        if now.timeIntervalSince(ring.primary.created) > 366 * 24 * 3600 {
            Output.warning("the primary key is more than a year old: 'pushcrypt keygen' rotates it")
        }
        Output.hint(
            "\(file.path) is valid: generation \(ring.generation), use \(KeyUse(Key.self).rawValue), 1 primary, "
                + "\(ring.pending.count) pending, \(ring.retired.count) retired")
        return ""
    }
}

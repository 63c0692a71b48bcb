internal import ArgumentParser
internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// Gives up a pending key.
struct KeysRetireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Give up a pending key.",
        discussion: """
            It still opens what may have been sealed to it, for 30 days and 48 hours. The primary key is retired by \
            'keygen' or 'keys promote', which put another in its place.
            """)

    @OptionGroup var keyring: KeyringOption

    @Argument(
        help: ArgumentHelp(
            "The pending key; not needed where there is one alone. Put -- before it where it begins with a hyphen.",
            valueName: "key"))
    var key: String?

    func run() throws {
        let id = try keyring.perform(Work(name: key, now: Date()))
        Output.hint("retired \(id)")
    }

    private struct Work: KeyringWork {
        let name: String?
        let now: Date

        func run<Key: PrivateKey>(_ file: KeyringFile<Key>, _: KeyUse) throws(PushCryptError) -> KeyID {
            let ring = try file.change { (ring) throws(PushCryptError) in
                try ring.retire(KeyName.pending(name, in: ring), at: now)
            }
            return ring.retired[0].key.publicKey.keyID
        }
    }
}

internal import ArgumentParser
internal import Foundation
internal import PushCryptCore

/// Makes a pending key the primary one.
struct KeysPromoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Make a pending key the primary one, and retire that; print its public half.",
        discussion: "Do it when everybody who must know the new key does.")

    @OptionGroup var keyring: KeyringOption

    @Argument(
        help: ArgumentHelp(
            "The pending key; not needed where there is one alone. Put -- before it where it begins with a hyphen.",
            valueName: "key"))
    var key: String?

    func run() throws {
        let jwk = try keyring.perform(Work(name: key, now: Date()))
        do {
            try Output.line(jwk)
        } catch {
            Output.hint("the key is promoted all the same: 'pushcrypt keys public' prints its public half")
            throw error
        }
    }

    private struct Work: KeyringWork {
        let name: String?
        let now: Date

        func run<Key: PrivateKey>(_ file: KeyringFile<Key>, _: KeyUse) throws(PushCryptError) -> String {
            let ring = try file.change { (ring) throws(PushCryptError) in
                try ring.promote(KeyName.pending(name, in: ring), at: now)
            }
            return ring.primary.key.publicKey.jwk
        }
    }
}

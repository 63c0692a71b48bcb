internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptKeyring

/// Prints the public key of a keyring.
struct KeysPublicCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "public",
        abstract: "Print the primary public key, a JWK on one line.",
        discussion: "With --all, every public key: the primary first, then pending and retired ones.")

    @OptionGroup var keyring: KeyringOption

    @Flag(help: "Print every public key, one on each line: what devices pin of a sender.")
    var all = false

    func run() throws {
        try Output.line(keyring.perform(Work(all: all)))
    }

    private struct Work: KeyringWork {
        let all: Bool

        func run<Key: PrivateKey>(_ file: KeyringFile<Key>, _: KeyUse) throws(PushCryptError) -> String {
            let ring = try file.read()
            return (all ? ring.keys : [ring.primary.key]).map(\.publicKey.jwk).joined(separator: "\n")
        }
    }
}

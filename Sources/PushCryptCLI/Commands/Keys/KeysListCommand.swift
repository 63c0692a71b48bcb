internal import ArgumentParser
internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// Lists the keys of a keyring.
struct KeysListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys: id, use, state, age, and until when they open.")

    @OptionGroup var keyring: KeyringOption

    @Flag(help: "Print them as one JSON object.")
    var json = false

    func run() throws {
        let list = try keyring.perform(Work(now: Date()))
        try Output.line(json ? JSONText.pretty(list.value) : list.table)
    }

    private struct Work: KeyringWork {
        let now: Date

        func run<Key: PrivateKey>(_ file: KeyringFile<Key>, _ use: KeyUse) throws(PushCryptError) -> KeyList {
            KeyList(try file.read(), use, at: now)
        }
    }
}

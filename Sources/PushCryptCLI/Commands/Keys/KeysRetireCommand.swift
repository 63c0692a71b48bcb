internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysRetireCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Retire a pending key without promoting it.",
        discussion: """
            It still opens messages, for 30 days and 48 hours. A signing key signs for devices \
            that accept no newer one; remove a leaked one with 'pushcrypt keys revoke'. To retire \
            the primary key, use 'pushcrypt keygen' or 'pushcrypt keys promote'.

            Example: pushcrypt keys retire --keyring server.jwks
            """)

    @OptionGroup var keyring: KeyringOption

    @Argument(help: ArgumentHelp("The pending key. Default: the only one.", valueName: "key"))
    var key: String?

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let now = Date()
        let ring = try file.update { (ring) throws(PushCryptError) in
            try ring.retire(KeyName.pending(key, in: ring), at: now)
        }
        Output.hint("retired \(ring.retired[0].key.publicKey.keyID)")
        return ""
    }
}

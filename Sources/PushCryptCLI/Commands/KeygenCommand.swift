internal import ArgumentParser
internal import Foundation
internal import PushCryptCore

/// Makes a keyring, or rotates the keys of one.
struct KeygenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Make a keyring, or rotate it; print the new public key.",
        discussion: """
            Where there is no keyring, one is made, with one new key. Where there is one, a new primary key is added and \
            the old one retired: it still opens what is under way. The file is of mode 0600, and its folder is made if need be. Standard output gets the new \
            public key, a JWK on one line, and nothing secret.
            """)

    @OptionGroup var keyring: KeyringOption

    @Option(
        help: """
            What the keys are for: enc (a device opens with them) or sig (a server signs with them). Default: what the \
            keyring is for, else enc.
            """)
    var use: KeyUse?

    func run() throws {
        let jwk =
            switch try use ?? KeyUse.of(keyring.path) ?? .enc {
            case .enc: try rotate(RecipientPrivateKey.self)
            case .sig: try rotate(SigningKey.self)
            }
        do {
            try Output.line(jwk)
        } catch {
            Output.hint("the key is made all the same: 'pushcrypt keys public' prints its public half")
            throw error
        }
    }

    private func rotate<Key: PrivateKey>(_: Key.Type) throws -> String {
        let folder = URL(fileURLWithPath: keyring.path).deletingLastPathComponent().path
        if !FileManager.default.fileExists(atPath: folder) {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw PushCryptError(.fileTrouble, "Cannot make the folder \(folder) for the keyring.")
            }
        }
        let ring = try KeyringFile<Key>(path: keyring.path).makeOrRotate(at: Date())
        if ring.generation == 1 {
            Output.hint("made \(keyring.path); keep it secret and back it up")
        } else {
            Output.hint(
                "rotated \(keyring.path) to generation \(ring.generation); the old key still opens what is under way")
        }
        return ring.primary.key.publicKey.jwk
    }
}

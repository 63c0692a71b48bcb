import Foundation
import PushCryptTesting
import Testing

/// A directory with a device's keyring, `device.jwks`, and the tool.
struct KeyDirectory {
    let tool: Tool
    static let name = "device.jwks"

    init() throws {
        tool = try Tool()
    }

    /// Runs `pushcrypt keys` with a subcommand.
    func run(_ arguments: String...) throws -> Tool.Run {
        try tool.run(all: ["keys", arguments[0], "--keyring", Self.name] + arguments.dropFirst())
    }

    /// Creates or rotates the keyring as `keygen` does, but without a process, and returns the new
    /// key.
    func create() throws -> RecipientPublicKey {
        try file.createOrRotate(at: Date()).primary.key.publicKey
    }

    /// Adds a pending key, as `keygen --pending` does but without a process, and returns the new
    /// key.
    func addPending() throws -> RecipientPublicKey {
        try #require(
            try file.update { (ring) throws(PushCryptError) in try ring.addPendingKey(at: Date()) }
                .pending.last
        )
        .key.publicKey
    }

    /// Creates a keyring under a passphrase at the lowest cost that the tool accepts.
    @discardableResult
    func createProtected(with passphrase: String) throws -> RecipientPublicKey {
        let key = try create()
        try tool.protect(Self.name, with: passphrase, RecipientPrivateKey.self)
        return key
    }

    /// Reads the keyring.
    func ring() throws -> Keyring<RecipientPrivateKey> {
        try file.read()
    }

    private var file: KeyringFile<RecipientPrivateKey> { KeyringFile(path: path) }

    var path: String { tool.path(Self.name) }

    /// Subtracts days from all dates of the keyring.
    func age(days: Int) throws { try tool.ageKeyring(Self.name, days: days) }

    /// Checks that a run has printed no private key.
    func expectNothingSecret(_ run: Tool.Run, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        guard let file = try? tool.read(Self.name) else { return }
        let secrets = file.components(separatedBy: #""d":""#).dropFirst().map { $0.prefix(43) }
        for secret in secrets {
            #expect(
                !run.text.contains(secret) && !run.errors.contains(secret),
                sourceLocation: sourceLocation)
        }
    }
}

import Foundation
import PushCryptCore
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptKeyring

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A directory in which a container platform mounts a keyring: two links lead to the file, and one
/// of them is swapped.
struct Mount {
    let scratch: Scratch
    private let versions = LockedValue(0)

    init() throws {
        scratch = try Scratch()
    }

    var path: String { scratch.file("server.jwks") }
    var file: KeyringFile<SigningKey> { KeyringFile(path: path, isMounted: true) }

    /// Mounts contents instead of the former contents.
    func update(_ contents: [UInt8], mode: Int = 0o440) throws {
        let version = versions.withLock { version in
            version += 1
            return version
        }
        let directory = scratch.file("..version-\(version)")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        scratch.write(contents, to: "..version-\(version)/server.jwks", mode: mode)
        #expect(unsafe symlink("..version-\(version)", scratch.file("..new")) == 0)
        #expect(unsafe rename(scratch.file("..new"), scratch.file("..data")) == 0)
        if version == 1 {
            #expect(unsafe symlink("..data/server.jwks", path) == 0)
        } else {
            try FileManager.default.removeItem(atPath: scratch.file("..version-\(version - 1)"))
        }
    }

    /// Mounts a keyring and returns its primary key.
    @discardableResult
    func update(_ keyring: Keyring<SigningKey>) throws -> VerificationKey {
        try update(keyring.exportWithPrivateKeys().copy)
        return keyring.primary.key.publicKey
    }
}

/// Keyrings from a secret manager, a variable of the environment, or a mounted file.
@Suite struct MountedKeyringTests {
    private let keyring: Keyring<SigningKey>
    private let text: [UInt8]

    init() throws {
        keyring = try Keyring(createdAt: Date(timeIntervalSince1970: 1_700_000_000))
        text = try keyring.exportWithPrivateKeys().copy
    }

    @Test("A keyring is parsed from bytes and from a string") func fromMemory() throws {
        let key = keyring.primary.key.publicKey
        #expect(try Keyring<SigningKey>(parsing: text).primary.key.publicKey == key)
        #expect(try Keyring<SigningKey>(parsing: Data(text)).primary.key.publicKey == key)
        #expect(
            try Keyring<SigningKey>(parsing: String(decoding: text, as: UTF8.self)).primary.key
                .publicKey == key)
        #expect(errorCode { try Keyring<SigningKey>(parsing: "") } == .malformedJWK)
        #expect(errorCode { try Keyring<RecipientPrivateKey>(parsing: text) } == .wrongKeyType)
    }

    @Test("A protected keyring from memory requires its passphrase") func protectedFromMemory()
        throws
    {
        let passphrase = try Passphrase(Array("correct horse".utf8))
        let protected = try ProtectedKeyring(
            protecting: SecretBytes(text), with: passphrase,
            cost: Argon2id.Cost(operations: 1, memory: 8 << 10)
        ).contents
        let parsed = try Keyring<SigningKey>(parsing: protected, passphrase: passphrase)
        #expect(parsed.primary.key.publicKey == keyring.primary.key.publicKey)
        #expect(errorCode { try Keyring<SigningKey>(parsing: protected) } == .passphraseRequired)
        let wrong = try Passphrase(Array("wrong".utf8))
        #expect(
            errorCode { try Keyring<SigningKey>(parsing: protected, passphrase: wrong) }
                == .wrongPassphrase)
    }

    @Test(
        "A mounted secret is read through links, with any mode",
        arguments: [0o400, 0o440, 0o444, 0o640])
    func mounted(_ mode: Int) throws {
        let mount = try Mount()
        try mount.update(text, mode: mode)
        #expect(try mount.file.read().primary.key.publicKey == keyring.primary.key.publicKey)
        #expect(errorCode { try KeyringFile<SigningKey>(path: mount.path).read() } == .insecureFile)
    }

    @Test("A mounted secret is never written or locked") func neverWritten() throws {
        let mount = try Mount()
        try mount.update(text)
        let names = try mount.scratch.names
        let passphrase = try Passphrase(Array("a".utf8))
        for error in [
            thrownError {
                try mount.file.update { (ring) throws(PushCryptError) in try ring.rotate(at: Date())
                }
            },
            thrownError { try mount.file.createOrRotate(at: Date()) },
            thrownError { try mount.file.readOrCreate(at: Date()) },
            thrownError { try mount.file.setPassphrase(passphrase) },
        ] {
            #expect(error?.code == .fileSystemError)
            #expect(error?.reason.contains("is a mounted secret") == true)
        }
        #expect(try mount.scratch.names == names)
        #expect(mount.scratch.contents(of: "server.jwks") == text)
    }

    @Test("A mounted pipe or directory is refused", .timeLimit(.minutes(20))) func mountedPipe()
        throws
    {
        let scratch = try Scratch()
        let waited = NamedPipe.waitingTime(scratch.file("pipe")) {
            #expect(
                errorCode {
                    try KeyringFile<SigningKey>(path: scratch.file("pipe"), isMounted: true).read()
                }
                    == .insecureFile)
        }
        #expect(waited < NamedPipe.patience)
        #expect(
            errorCode { try KeyringFile<SigningKey>(path: scratch.path, isMounted: true).read() }
                == .insecureFile)
        #expect(
            errorCode {
                try KeyringFile<SigningKey>(path: scratch.file("no"), isMounted: true).read()
            } == .fileNotFound
        )
    }
}

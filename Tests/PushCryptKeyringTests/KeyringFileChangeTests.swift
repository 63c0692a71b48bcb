import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCore
@testable import PushCryptKeyring

/// Changes of a keyring file are complete or have no effect.
@Suite struct KeyringFileChangeTests {
    private let scratch: Scratch
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        scratch = try Scratch()
    }

    private var file: KeyringFile<RecipientPrivateKey> { KeyringFile(path: scratch.file()) }

    @Test("A change is stored") func aChangeIsStored() throws {
        _ = try file.createOrRotate(at: now)
        let changed = try file.update { (ring) throws(PushCryptError) in
            try ring.addPendingKey(at: now)
        }
        let read = try file.read()
        #expect(read.generation == 2 && changed.generation == 2)
        #expect(read.pending.map(\.key.publicKey) == changed.pending.map(\.key.publicKey))
        #expect(
            errorCode { try KeyringFile<SigningKey>(path: scratch.file("no.jwks")).update { _ in } }
                == .fileNotFound)
    }

    @Test("A change without effect writes nothing") func whatChangesNothingWritesNothing() throws {
        _ = try file.createOrRotate(at: now)
        let inode = try inode()
        _ = try file.update { _ in }
        _ = try KeyringStorage<Keyring<RecipientPrivateKey>>(path: scratch.file()).updateOrCreate {
            _ in
        }
        #expect(
            errorCode {
                try file.update { (ring) throws(PushCryptError) in
                    try ring.rotate(at: now)
                    throw PushCryptError(.wrongKeyState, "")
                }
            } == .wrongKeyState)
        #expect(try self.inode() == inode)
        #expect(try file.read().generation == 1)
    }

    @Test("A missing file is created only by the change")
    func whereThereIsNoneOneIsMadeOnlyByTheChange() throws {
        let none = try KeyringStorage<Keyring<RecipientPrivateKey>>(path: scratch.file())
            .updateOrCreate {
                (ring) throws(PushCryptError) in
                guard ring == nil else { throw PushCryptError(.fileExists, "") }
            }
        #expect(none == nil)
        #expect(try scratch.names == ["ring.jwks.lock"])
        let made = try KeyringStorage<Keyring<RecipientPrivateKey>>(path: scratch.file())
            .updateOrCreate {
                (ring) throws(PushCryptError) in ring = try Keyring(createdAt: now)
            }
        #expect(try file.read().primary.key.publicKey == made?.primary.key.publicKey)
    }

    @Test("Temporary files of killed processes are removed, and no other files")
    func whatAKilledWriterLeftIsRemovedAndNothingElse() throws {
        _ = try file.createOrRotate(at: now)
        let others = [
            "ring.jwks.backup.tmp", "ring.jwks.AAAAAAAAAAAA.tmp",
            "ring.jwks.pushcrypt-AAAAAAAAAAAA", "other.jwks.pushcrypt-AAAAAAAAAAAA.tmp",
            "ring.jwks.tmp", "ring.jwks.pushcrypt-CCCCCCCCCCCC.tmp",
        ]
        scratch.write([1], to: "ring.jwks.pushcrypt-CCCCCCCCCCCC.tmp", mode: 0o644)
        for name in others.dropLast() + [
            "ring.jwks.pushcrypt-AbCd-_012345.tmp", "ring.jwks.pushcrypt-AAAAAAAAAAAA.tmp",
        ] {
            scratch.write([1], to: name)
        }
        _ = try file.createOrRotate(at: now + 1)
        #expect(try scratch.names == (others + ["ring.jwks", "ring.jwks.lock"]).sorted())
    }

    @Test("The passphrase is requested only if it is required")
    func aPassphraseIsAskedForWhereItIsNeeded() throws {
        let passphrase = try Passphrase(Array("p".utf8))
        let asked = LockedValue(0)
        let own = KeyringFile<RecipientPrivateKey>(
            path: scratch.file(),
            passphrase: {
                asked.withLock { $0 += 1 }; return passphrase
            }, protectsNewFiles: true)
        let made = try own.createOrRotate(at: now)
        #expect(asked.withLock { $0 } == 1)
        #expect(errorCode { try file.read() } == .passphraseRequired)
        #expect(try own.read().primary.key.publicKey == made.primary.key.publicKey)
        // A file that is not protected stays unprotected.
        let open = KeyringFile<RecipientPrivateKey>(path: scratch.file("open.jwks"))
        _ = try open.createOrRotate(at: now)
        _ = try KeyringFile<RecipientPrivateKey>(
            path: scratch.file("open.jwks"), passphrase: { passphrase }, protectsNewFiles: true
        ).createOrRotate(at: now)
        #expect(try open.read().generation == 2)
    }

    private func inode() throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file())
        return (attributes[.systemFileNumber] as? NSNumber)?.intValue
    }

    @Test("Different keys with the same generation are rejected")
    func otherKeysUnderTheSameGenerationAreRefused()
        throws
    {
        let made = try file.createOrRotate(at: now)
        let before = scratch.contents()
        for generation in [0, 1] {
            #expect(
                errorCode {
                    try file.update { (ring) throws(PushCryptError) in
                        ring = try Keyring(createdAt: now)
                        if generation == 0 { ring.generation = 0 }
                    }
                } == .malformedKeyring)
        }
        #expect(scratch.contents() == before)
        #expect(try file.read().primary.key.publicKey == made.primary.key.publicKey)
    }

    @Test("The returned keyring is the stored keyring") func whatIsReturnedIsWhatIsStored() throws {
        let made = try file.createOrRotate(at: now + 0.75)
        #expect(made.primary.created == now)
        let changed = try file.update { (ring) throws(PushCryptError) in
            try ring.addPendingKey(at: now + 1.5)
        }
        #expect(changed.pending.map(\.created) == [now + 1])
    }

    @Test("A missing passphrase file is not a missing keyring")
    func aMissingPassphraseFileIsNoMissingKeyring() throws {
        let passphrase = try Passphrase(Array("p".utf8))
        let path = scratch.file()
        _ = try KeyringFile<RecipientPrivateKey>(
            path: path, passphrase: { passphrase }, protectsNewFiles: true
        )
        .createOrRotate(at: now)
        let before = scratch.contents()
        let lost = KeyringFile<RecipientPrivateKey>(
            path: path,
            passphrase: { () throws(PushCryptError) in throw PushCryptError(.fileNotFound, "") })
        #expect(errorCode { try lost.readIfPresent() } == .fileNotFound)
        #expect(errorCode { try lost.readOrCreate(at: now) } == .fileNotFound)
        #expect(errorCode { try lost.createOrRotate(at: now) } == .fileNotFound)
        #expect(errorCode { try lost.updateOrCreate { _ in } } == .fileNotFound)
        #expect(scratch.contents() == before)
    }

    @Test("The name of a directory is rejected", arguments: ["", "/", "/.", "/.."])
    func theNameOfAFolderIsRefused(end: String) throws {
        let name = ".pushcrypt-AAAAAAAAAAAA.tmp"
        scratch.write([1], to: name)
        let path = end.isEmpty ? "" : scratch.path + end
        let code = errorCode {
            try KeyringFile<RecipientPrivateKey>(path: path).createOrRotate(at: now)
        }
        #expect(code == .insecureFile)
        #expect(try scratch.names == [name])
    }
}

import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@Suite struct KeyringFileTests {
    let scratch: Scratch
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        scratch = try Scratch()
    }

    private var file: KeyringFile<RecipientPrivateKey> { KeyringFile(path: scratch.file()) }

    @Test("A created keyring file can be read") func makesAFileAndReadsItBack() throws {
        let made = try file.createOrRotate(at: now)
        let read = try file.read()
        #expect(file.path == scratch.file())
        #expect(made.generation == 1 && read.generation == 1)
        #expect(read.primary.key.publicKey == made.primary.key.publicKey)
        #expect(read.primary.created == now)
        #expect(scratch.mode() == 0o600)
        #expect(try scratch.names == ["ring.jwks", "ring.jwks.lock"], "No temporary file is left.")
    }

    @Test("Reading or creating never rotates") func readOrMakeMakesOnceAndNeverRotates() throws {
        let made = try file.readOrCreate(at: now)
        let read = try file.readOrCreate(at: now)
        #expect(made.generation == 1 && read.generation == 1)
        #expect(read.primary.key.publicKey == made.primary.key.publicKey)
        // An unreadable file is not replaced.
        try Data("no keyring".utf8).write(to: URL(fileURLWithPath: scratch.file()))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: scratch.file())
        #expect(errorCode { try file.readOrCreate(at: now) } == .malformedJWK)
    }

    @Test("An existing file is rotated") func rotatesTheFileThatIsThere() throws {
        var primaries = [try file.createOrRotate(at: now).primary.key.publicKey]
        for round in 1...4 {
            primaries.insert(
                try file.createOrRotate(at: now + Double(round)).primary.key.publicKey, at: 0)
            let read = try file.read()
            #expect(read.generation == UInt64(round + 1))
            #expect(read.keys.map(\.publicKey) == primaries)
            #expect(scratch.mode() == 0o600)
            #expect(try scratch.names == ["ring.jwks", "ring.jwks.lock"])
        }
    }

    @Test("A missing file is reported as missing") func aMissingFileIsMissing() {
        #expect(errorCode { try file.read() } == .fileNotFound)
        let nowhere = KeyringFile<SigningKey>(path: scratch.file("missing/ring.jwks"))
        #expect(errorCode { try nowhere.read() } == .fileNotFound)
        #expect(errorCode { try nowhere.createOrRotate(at: now) } == .fileNotFound)
    }

    @Test("A file that is not a keyring stays unchanged") func aFileOfAnotherKindIsLeftAlone()
        throws
    {
        for text in [
            RingText(keys: [RingText.entry(.sender(), "primary")]).text, "not a keyring", "", "{}",
            "\0\0\0",
        ] {
            scratch.write(Array(text.utf8))
            #expect(errorCode { try file.read() } != nil)
            #expect(errorCode { try file.createOrRotate(at: now) } != nil)
            #expect(scratch.contents() == Array(text.utf8))
            #expect(try scratch.names == ["ring.jwks", "ring.jwks.lock"])
        }
    }

    @Test("A truncated keyring is neither read nor changed") func noTruncationIsReadOrChanged()
        throws
    {
        _ = try file.createOrRotate(at: now)
        _ = try file.createOrRotate(at: now)
        let whole = try #require(scratch.contents())
        // Only the line break at the end may be missing.
        for length in 0..<(whole.count - 1) {
            let cut = Array(whole[..<length])
            scratch.write(cut)
            #expect(errorCode { try file.read() } == .malformedJWK, "\(length) bytes")
            #expect(
                errorCode { try file.createOrRotate(at: now) } == .malformedJWK, "\(length) bytes")
            #expect(scratch.contents() == cut, "\(length) bytes")
        }
        scratch.write(Array(whole.dropLast()))
        #expect(try file.read().generation == 2)
        #expect(try scratch.names == ["ring.jwks", "ring.jwks.lock"])
    }

    @Test("Concurrent rotations all succeed") func rotationsAtTheSameTimeAllSurvive() throws {
        let rotations = 24
        let file = file
        let primaries = LockedValue<[RecipientPublicKey]>([])
        let failures = LockedValue<[PushCryptError]>([])
        onThreads(rotations) { _ in
            do throws(PushCryptError) {
                let key = try file.createOrRotate(at: Date()).primary.key.publicKey
                primaries.withLock { $0.append(key) }
            } catch {
                failures.withLock { $0.append(error) }
            }
        }
        let ring = try file.read()
        #expect(failures.withLock { $0 }.isEmpty)
        #expect(ring.generation == UInt64(rotations))
        #expect(Set(ring.keys.map(\.publicKey)) == Set(primaries.withLock { $0 }))
        #expect(ring.keys.count == rotations)
        #expect(try scratch.names == ["ring.jwks", "ring.jwks.lock"])
    }

    @Test("Readers never see an incomplete file") func readersNeverSeeHalfAFile() throws {
        let file = file
        _ = try file.createOrRotate(at: now)
        let failures = LockedValue<[PushCryptError]>([])
        onThreads(4) { worker in
            for _ in 0..<25 {
                do throws(PushCryptError) {
                    _ = worker == 0 ? try file.createOrRotate(at: Date()) : try file.read()
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        #expect(try file.read().generation == 26)
    }
}

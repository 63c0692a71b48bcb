import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite struct SecretFileReadingTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func code(_ name: String, isPrivate: Bool = true) -> PushCryptError.Code? {
        errorCode { try SecretFile(scratch.file(name)).read(isPrivate: isPrivate) }
    }

    @Test("A file is read completely", arguments: [0, 1, 4096, 4097, 1 << 20])
    func readsAllOfAFile(_ count: Int) throws {
        var random = SeededRandom(seed: 5)
        let bytes = random.bytes(count)
        scratch.write(bytes, to: "key")
        #expect(try SecretFile(scratch.file("key")).read().copy == bytes)
    }

    @Test("A file that is too large is rejected") func refusesAFileThatIsTooLarge() {
        scratch.write([UInt8](repeating: 0, count: (1 << 20) + 1), to: "key")
        #expect(code("key") == .fileSystemError)
        #expect(code("key", isPrivate: false) == .fileSystemError)
    }

    @Test(
        "A file that other users can access is rejected",
        arguments: [
            0o600, 0o400, 0o700, 0o610, 0o620, 0o640, 0o601, 0o602, 0o604, 0o644, 0o666, 0o777,
        ])
    func refusesAFileThatOthersMayUse(_ mode: Int) {
        scratch.write([1], to: "key", mode: mode)
        #expect(code("key") == (mode & 0o077 == 0 ? nil : .insecureFile))
        #expect(code("key", isPrivate: false) == nil, "Other users may read a public key.")
    }

    @Test("A link is rejected") func refusesALink() throws {
        scratch.write([1], to: "key")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file("link"), withDestinationPath: scratch.file("key"))
        #expect(code("link") == .insecureFile)
        #expect(code("link", isPrivate: false) == nil)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file("dangling"), withDestinationPath: "nowhere")
        #expect(code("dangling") == .insecureFile)
        #expect(code("dangling", isPrivate: false) == .fileNotFound)
    }

    @Test("A file with a second name is rejected, wherever the name is") func refusesASecondName()
        throws
    {
        scratch.write([1], to: "key")
        for name in ["second", "key.pushcrypt-1.tmp", "other.pushcrypt-AAAAAAAAAAAA.tmp"] {
            try FileManager.default.linkItem(
                atPath: scratch.file("key"), toPath: scratch.file(name))
            #expect(code("key") == .insecureFile, "\(name)")
            #expect(code("key", isPrivate: false) == nil)
            try FileManager.default.removeItem(atPath: scratch.file(name))
        }
        #expect(code("key") == nil)
    }

    // The process that creates the file may be killed before it removes the temporary name.
    @Test("A file that still has its temporary name is read") func readsAFileDuringItsCreation()
        throws
    {
        scratch.write([1], to: "key")
        let temporary = scratch.file("key.pushcrypt-AAAAAAAAAAAA.tmp")
        try FileManager.default.linkItem(atPath: scratch.file("key"), toPath: temporary)
        #expect(code("key") == nil)
        try FileManager.default.linkItem(
            atPath: scratch.file("key"), toPath: scratch.file("second"))
        #expect(code("key") == .insecureFile)
    }

    @Test("A directory is rejected") func refusesAFolder() throws {
        try FileManager.default.createDirectory(
            atPath: scratch.file("directory"), withIntermediateDirectories: false)
        #expect(code("directory") == .insecureFile)
        #expect(code("directory", isPrivate: false) == .insecureFile)
    }

    @Test("A pipe is rejected without waiting for a writer", .timeLimit(.minutes(20)))
    func refusesAPipeWithoutWaitingForAWriter() {
        let waited = NamedPipe.waitingTime(scratch.file("pipe")) {
            #expect(code("pipe") == .insecureFile)
            #expect(code("pipe", isPrivate: false) == .insecureFile)
        }
        #expect(waited < NamedPipe.patience)
    }

    @Test("A device is rejected") func refusesADevice() {
        #expect(errorCode { try SecretFile("/dev/null").read() } == .insecureFile)
        #expect(errorCode { try SecretFile("/dev/zero").read(isPrivate: false) } == .insecureFile)
    }

    @Test(
        "A file of another user is rejected",
        .enabled(if: Rights.includeOtherUsers, "Only root can become another user."))
    func refusesAFileOfSomebodyElse() {
        scratch.write([1], to: "key")
        #expect(unsafe chown(scratch.file("key"), 65_534, 65_534) == 0)
        #expect(code("key") == .insecureFile)
        #expect(code("key", isPrivate: false) == nil)
    }

    @Test("A missing file is reported as missing") func aMissingFileIsMissing() {
        scratch.write([1], to: "key")
        #expect(code("missing") == .fileNotFound)
        #expect(code("missing/key") == .fileNotFound)
        #expect(code("key/key") == .fileSystemError, "A part of the path is not a directory.")
    }

    @Test("An error contains nothing of the file") func theErrorShowsNothingOfTheFile() throws {
        scratch.write(Array("TOPSECRET".utf8), to: "key", mode: 0o644)
        let error = try #require(thrownError { try SecretFile(scratch.file("key")).read() })
        #expect(!error.description.contains("TOPSECRET"))
        #expect(error.reason.contains("chmod 600 \(scratch.file("key"))"))
    }
}

import Foundation
import PushCryptCore
import PushCryptKeyring
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

    @Test(arguments: [0, 1, 4096, 4097, 1 << 20])
    func readsAllOfAFile(_ count: Int) throws {
        var random = SeededRandom(seed: 5)
        let bytes = random.bytes(count)
        scratch.write(bytes, to: "key")
        #expect(try SecretFile(scratch.file("key")).read().copy == bytes)
    }

    @Test func refusesAFileThatIsTooLarge() {
        scratch.write([UInt8](repeating: 0, count: (1 << 20) + 1), to: "key")
        #expect(code("key") == .fileSystemError)
        #expect(code("key", isPrivate: false) == .fileSystemError)
    }

    @Test(arguments: [0o600, 0o400, 0o700, 0o610, 0o620, 0o640, 0o601, 0o602, 0o604, 0o644, 0o666, 0o777])
    func refusesAFileThatOthersMayUse(_ mode: Int) {
        scratch.write([1], to: "key", mode: mode)
        #expect(code("key") == (mode & 0o077 == 0 ? nil : .insecureFile))
        #expect(code("key", isPrivate: false) == nil, "A public key may be for all to read.")
    }

    @Test func refusesALink() throws {
        scratch.write([1], to: "key")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file("link"), withDestinationPath: scratch.file("key"))
        #expect(code("link") == .insecureFile)
        #expect(code("link", isPrivate: false) == nil)
        try FileManager.default.createSymbolicLink(atPath: scratch.file("dangling"), withDestinationPath: "nowhere")
        #expect(code("dangling") == .insecureFile)
        #expect(code("dangling", isPrivate: false) == .fileNotFound)
    }

    @Test func refusesAFolder() throws {
        try FileManager.default.createDirectory(atPath: scratch.file("folder"), withIntermediateDirectories: false)
        #expect(code("folder") == .insecureFile)
        #expect(code("folder", isPrivate: false) == .insecureFile)
    }

    @Test(.timeLimit(.minutes(1))) func refusesAPipeWithoutWaitingForAWriter() {
        let waited = Pipe.waitingTime(scratch.file("pipe")) {
            #expect(code("pipe") == .insecureFile)
            #expect(code("pipe", isPrivate: false) == .insecureFile)
        }
        #expect(waited < Pipe.patience)
    }

    @Test func refusesADevice() {
        #expect(errorCode { try SecretFile("/dev/null").read() } == .insecureFile)
        #expect(errorCode { try SecretFile("/dev/zero").read(isPrivate: false) } == .insecureFile)
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give a file away."))
    func refusesAFileOfSomebodyElse() {
        scratch.write([1], to: "key")
        #expect(unsafe chown(scratch.file("key"), 65_534, 65_534) == 0)
        #expect(code("key") == .insecureFile)
        #expect(code("key", isPrivate: false) == nil)
    }

    @Test func aMissingFileIsMissing() {
        scratch.write([1], to: "key")
        #expect(code("missing") == .fileNotFound)
        #expect(code("missing/key") == .fileNotFound)
        #expect(code("key/key") == .fileSystemError, "A part of the path is no folder.")
    }

    @Test func theErrorShowsNothingOfTheFile() throws {
        scratch.write(Array("TOPSECRET".utf8), to: "key", mode: 0o644)
        let error = try #require(thrownError { try SecretFile(scratch.file("key")).read() })
        #expect(!error.description.contains("TOPSECRET"))
        #expect(error.reason.contains("chmod 600 \(scratch.file("key"))"))
    }
}

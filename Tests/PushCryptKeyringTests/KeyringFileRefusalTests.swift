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

/// A file that is not a keyring is neither treated as missing nor replaced.
@Suite struct KeyringFileRefusalTests {
    let scratch: Scratch
    let good = Array(RingText(keys: [RingText.entry(.device(), "primary")]).text.utf8)

    init() throws {
        scratch = try Scratch()
    }

    private func expectRefusal(_ code: PushCryptError.Code) throws {
        let file = KeyringFile<RecipientPrivateKey>(path: scratch.file())
        let names = try scratch.names
        #expect(errorCode { try file.read() } == code)
        #expect(errorCode { try file.createOrRotate(at: Date()) } == code)
        #expect(
            try scratch.names == (names + ["ring.jwks.lock"]).sorted(), "Only the lock was created."
        )
    }

    @Test("A link is neither read nor replaced") func aLink() throws {
        scratch.write(good, to: "other")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file(), withDestinationPath: scratch.file("other"))
        try expectRefusal(.insecureFile)
        #expect(scratch.contents(of: "other") == good)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: scratch.file())
                == scratch.file("other"))
    }

    @Test("A dangling link is neither read nor replaced") func aDanglingLink() throws {
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file(), withDestinationPath: scratch.file("other"))
        try expectRefusal(.insecureFile)
    }

    @Test("A pipe is neither read nor replaced", .timeLimit(.minutes(20))) func aPipe() throws {
        let waited = try NamedPipe.waitingTime(scratch.file()) { try expectRefusal(.insecureFile) }
        #expect(waited < NamedPipe.patience)
    }

    @Test("A directory is neither read nor replaced") func aFolder() throws {
        try FileManager.default.createDirectory(
            atPath: scratch.file(), withIntermediateDirectories: false)
        try expectRefusal(.insecureFile)
    }

    @Test(
        "A file that other users can access is neither read nor replaced",
        arguments: [0o640, 0o604, 0o660, 0o644, 0o666, 0o601])
    func aFileThatOthersMayUse(_ mode: Int) throws {
        scratch.write(good, mode: mode)
        try expectRefusal(.insecureFile)
        #expect(scratch.contents() == good)
        #expect(scratch.mode() == mode)
    }

    @Test("A file that is too large is neither read nor replaced") func aFileThatIsTooLarge() throws
    {
        let large = good + [UInt8](repeating: 0x20, count: 1 << 20)
        scratch.write(large)
        try expectRefusal(.fileSystemError)
        #expect(scratch.contents() == large)
    }

    @Test(
        "An unreadable file is not replaced",
        .enabled(if: Rights.includeOtherUsers, "Only root can become another user."))
    func aFileThatCannotBeReadNow() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            scratch.write([1, 2, 3])
            #expect(unsafe chown(scratch.path, 65_534, 65_534) == 0)
            #expect(seteuid(65_534) == 0)
            let file = KeyringFile<RecipientPrivateKey>(path: scratch.file())
            #expect(errorCode { try file.read() } == .fileSystemError)
            #expect(errorCode { try file.createOrRotate(at: Date()) } == .fileSystemError)
            #expect(seteuid(0) == 0)
            #expect(scratch.contents() == [1, 2, 3], "An unreadable file is not missing.")
        }
    }

    @Test(
        "A directory without write permission is an error",
        .enabled(if: Rights.includeOtherUsers, "Only root can become another user."))
    func aFolderThatCannotBeWrittenTo() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            #expect(unsafe chmod(scratch.path, 0o755) == 0)
            #expect(seteuid(65_534) == 0)
            let file = KeyringFile<RecipientPrivateKey>(path: scratch.file())
            #expect(errorCode { try file.createOrRotate(at: Date()) } == .fileSystemError)
            #expect(seteuid(0) == 0)
            #expect(try scratch.names == [])
        }
    }

    @Test(
        "A second rotation under a umask of 0777 succeeds",
        .enabled(if: Rights.includeOtherUsers, "Only root can become another user."))
    func aSecondRotationUnderAUmaskOf0777() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            #expect(unsafe chown(scratch.path, 65_534, 65_534) == 0)
            #expect(seteuid(65_534) == 0)
            _ = umask(0o777)
            let file = KeyringFile<RecipientPrivateKey>(path: scratch.file())
            #expect(errorCode { try file.createOrRotate(at: Date()) } == nil)
            #expect(errorCode { try file.createOrRotate(at: Date()) } == nil)
            #expect(seteuid(0) == 0)
        }
    }
}

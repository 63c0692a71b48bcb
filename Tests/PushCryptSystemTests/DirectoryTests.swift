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

/// Key files are neither read from nor written to a directory in which other users can replace
/// them.
@Suite struct DirectoryTests {
    let scratch: Scratch
    private var path: String { scratch.file("key") }

    init() throws {
        scratch = try Scratch()
        scratch.write([1], to: "key")
    }

    private func expect(
        _ code: PushCryptError.Code?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (file, contents) = (SecretFile(path), try SecretBytes([1]))
        let names = try scratch.names
        for error in [
            thrownError { try file.read() }, thrownError { try file.withLock {} },
            thrownError { try file.replace(contents) },
            thrownError { try SecretFile(scratch.file("new")).create(contents) },
        ] {
            #expect(error?.code == code, sourceLocation: sourceLocation)
            if let error {
                #expect(error.reason.contains(scratch.path), sourceLocation: sourceLocation)
            }
        }
        if code != nil { #expect(try scratch.names == names, sourceLocation: sourceLocation) }
        #expect(
            errorCode { try file.read(isPrivate: false) } == nil, "A public key can be anywhere.")
    }

    @Test(
        "A directory that other users can write to is refused",
        arguments: [0o777, 0o770, 0o720, 0o702, 0o733])
    func writableDirectory(_ mode: UInt32) throws {
        #expect(unsafe chmod(scratch.path, mode_t(mode)) == 0)
        try expect(.insecureFile)
    }

    @Test(
        "A private, a readable or a sticky directory is accepted",
        arguments: [0o700, 0o755, 0o1777, 0o1770])
    func privateDirectory(_ mode: UInt32) throws {
        #expect(unsafe chmod(scratch.path, mode_t(mode)) == 0)
        try expect(nil)
    }

    @Test(
        "A directory of another user is refused, and one of root is accepted",
        .enabled(if: Rights.includeOtherUsers, "Only root can change owners."))
    func otherOwner() async throws {
        #expect(unsafe chown(scratch.path, 65_534, 65_534) == 0)
        try expect(.insecureFile)
        #expect(unsafe chmod(scratch.path, 0o1777) == 0)
        try expect(.insecureFile)
        await #expect(processExitsWith: .success) { [path = scratch.path as String] in
            let scratch = Scratch(at: path)
            #expect(unsafe chown(path, 0, 0) == 0)
            #expect(unsafe chmod(path, 0o755) == 0)
            #expect(unsafe chown(scratch.file("key"), 65_534, 65_534) == 0)
            try #require(seteuid(65_534) == 0)
            #expect(errorCode { try SecretFile(scratch.file("key")).read() } == nil)
            #expect(seteuid(0) == 0)
        }
    }

    @Test("A mounted secret can be in any directory") func mountedSecret() throws {
        let text = RingText(keys: [RingText.entry(.sender(), "primary")]).text
        scratch.write(Array(text.utf8), mode: 0o444)
        #expect(unsafe chmod(scratch.path, 0o777) == 0)
        #expect(
            errorCode { try KeyringFile<SigningKey>(path: scratch.file()).read() } == .insecureFile)
        #expect(
            errorCode { try KeyringFile<SigningKey>(path: scratch.file(), isMounted: true).read() }
                == nil)
    }
}

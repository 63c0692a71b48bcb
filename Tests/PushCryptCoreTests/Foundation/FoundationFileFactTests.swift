import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// What Foundation's atomic write does to a key file's mode, which is why key files are written otherwise.
///
/// The umask belongs to the process, so each test runs in one of its own.
@Suite struct FoundationFileFactTests {
    @Test func theAtomicWriteOpensAPrivateFileToAll() async {
        await #expect(processExitsWith: .success) {
            _ = umask(0o022)
            let scratch = try Scratch()
            let path = scratch.write([1], mode: 0o600)
            #expect(scratch.mode() == 0o600)
            try Data([2]).write(to: URL(fileURLWithPath: path), options: .atomic)
            #expect(scratch.mode() == 0o644)
        }
    }

    @Test func ourReplacementKeepsItPrivate() async {
        await #expect(processExitsWith: .success) {
            _ = umask(0o022)
            let scratch = try Scratch()
            let path = scratch.write([1], mode: 0o600)
            try SecretFile(path).replace(SecretBytes([2]))
            #expect(scratch.mode() == 0o600)
            #expect(scratch.contents() == [2])
        }
    }
}

import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The effect of Foundation's atomic write on the mode of a file, because of which this package
/// writes key files itself.
///
/// The umask belongs to the process, so each test runs in a separate process.
@Suite struct FoundationFileFactTests {
    @Test("Foundation's atomic write makes a private file readable by all users")
    func theAtomicWriteOpensAPrivateFileToAll() async {
        await #expect(processExitsWith: .success) {
            _ = umask(0o022)
            let scratch = try Scratch()
            let path = scratch.write([1], mode: 0o600)
            #expect(scratch.mode() == 0o600)
            try Data([2]).write(to: URL(fileURLWithPath: path), options: .atomic)
            #expect(scratch.mode() == 0o644)
        }
    }

    @Test("The replacement of this package keeps a file private")
    func ourReplacementKeepsItPrivate() async {
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

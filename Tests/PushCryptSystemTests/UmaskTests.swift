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

/// Only the owner can access key files, under every umask.
///
/// The umask belongs to the process, so each test runs in a separate process.
@Suite struct UmaskTests {
    @Test(
        "A keyring has mode 0600 under every umask",
        arguments: [0, 0o022, 0o077, 0o277, 0o777] as [UInt32])
    func aKeyringIsMadeAndRotatedWithMode0600(_ mask: UInt32) async {
        await #expect(processExitsWith: .success) { [mask = mask as UInt32] in
            let scratch = try Scratch()
            let file = KeyringFile<RecipientPrivateKey>(path: scratch.file())
            _ = umask(mode_t(mask))
            for generation in UInt64(1)...3 {
                #expect(try file.createOrRotate(at: Date()).generation == generation)
                #expect(scratch.mode() == 0o600)
            }
            #expect(try file.read().generation == 3)
            #expect(try scratch.names == ["ring.jwks", "ring.jwks.lock"])
        }
    }

    @Test(
        "A lock file has mode 0600 under common umasks", arguments: [0, 0o022, 0o077] as [UInt32])
    func theLockIsForItsOwnerToo(_ mask: UInt32) async {
        await #expect(processExitsWith: .success) { [mask = mask as UInt32] in
            try expectLockMode(mask)
        }
    }

    @Test(
        "A lock file has mode 0600 under umasks that exclude the owner",
        arguments: [0o277, 0o777] as [UInt32])
    func theLockCanBeOpenedAgainUnderAnyUmask(_ mask: UInt32) async {
        await #expect(processExitsWith: .success) { [mask = mask as UInt32] in
            try expectLockMode(mask)
        }
    }
}

private func expectLockMode(_ mask: UInt32) throws {
    let scratch = try Scratch()
    _ = umask(mode_t(mask))
    _ = try KeyringFile<RecipientPrivateKey>(path: scratch.file()).createOrRotate(at: Date())
    #expect(scratch.mode(of: "ring.jwks.lock") == 0o600)
}

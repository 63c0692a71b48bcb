// On Linux, a function of the executable replaces the function of the system with the same name.
#if os(Linux)
import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCore
@testable import PushCryptKeyring
import PushCryptSystem

/// A written keyring reaches the disk: the file before the rename, the directory after it.
@Suite struct SyncTests {
    @Test("A keyring and its directory are synced") func aKeyringAndItsFolderAreSynced() async {
        // In a separate process, because the record below belongs to the whole process.
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let file = KeyringFile<RecipientPrivateKey>(path: scratch.file())
            for _ in 0..<2 {
                synced.withLock { $0 = [] }
                _ = try file.createOrRotate(at: Date())
                #expect(synced.withLock { $0 } == [.file, .directory])
            }
        }
    }

    @Test("A keyring that the disk has changed is neither created nor replaced")
    func aChangedKeyringIsNotStored() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let file = SecretFile(scratch.file())
            let contents = try SecretBytes(Array("new".utf8))
            changesFiles.withLock { $0 = true }
            let error = thrownError { try file.create(contents) }
            #expect(error?.code == .fileSystemError && error?.reason.contains("differs") == true)
            #expect(try scratch.names.isEmpty)
            scratch.write(Array("old".utf8))
            #expect(errorCode { try file.replace(contents) } == .fileSystemError)
            #expect(scratch.contents() == Array("old".utf8))
            #expect(try scratch.names == ["ring.jwks"])
            changesFiles.withLock { $0 = false }
            try file.replace(contents)
            #expect(scratch.contents() == Array("new".utf8))
        }
    }
}

private enum Synced: Sendable {
    case file, directory
}

/// A Boolean value that indicates whether a sync changes the first byte of the file, as a failing
/// disk may.
private let changesFiles = LockedValue(false)

private let synced = LockedValue<[Synced]>([])

/// Replaces the function of the system in the test process, and records the synced files.
@_cdecl("fsync")
public func recordSync(_ descriptor: Int32) -> Int32 {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return -1 }
    if status.st_mode & S_IFMT == S_IFREG, changesFiles.withLock({ $0 }) {
        _ = unsafe pwrite(descriptor, "!", 1, 0)
    }
    synced.withLock { $0.append(status.st_mode & S_IFMT == S_IFDIR ? .directory : .file) }
    return fdatasync(descriptor)
}
#endif

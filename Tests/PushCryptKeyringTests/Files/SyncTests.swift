// On Linux a function of an executable stands before the system's of the same name, which this needs.
#if os(Linux)
import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCore
@testable import PushCryptKeyring

/// What is written reaches the disk: the file before it gets its name, the folder after.
@Suite struct SyncTests {
    @Test func aKeyringAndItsFolderAreSynced() async {
        // In a process of its own: the record below is the whole process's.
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let file = KeyringFile<RecipientPrivateKey>(path: scratch.file())
            for _ in 0..<2 {
                synced.withLock { $0 = [] }
                _ = try file.createOrRotate(at: Date())
                #expect(synced.withLock { $0 } == [.file, .folder])
            }
        }
    }
}

private enum Synced: Sendable {
    case file, folder
}

private let synced = LockedValue<[Synced]>([])

/// Stands before the system's function of this name in the whole test process, and notes what is synced.
@_cdecl("fsync")
public func noteSync(_ descriptor: Int32) -> Int32 {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return -1 }
    synced.withLock { $0.append(status.st_mode & S_IFMT == S_IFDIR ? .folder : .file) }
    return fdatasync(descriptor)
}
#endif

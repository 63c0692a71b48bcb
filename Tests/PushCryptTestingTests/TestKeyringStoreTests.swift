import Dispatch
import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import Testing

@Suite struct TestKeyringStoreTests {
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func ring() throws -> DeviceKeyring { DeviceKeyring(try Keyring(createdAt: now)) }

    @Test("A stored keyring is found") func storedKeyringIsFound() throws {
        let store = TestKeyringStore()
        #expect(try store.keyring() == nil && store.stored == nil)
        let ring = try ring()
        let id = ring.primary.key.publicKey.keyID
        #expect(throws: PushCryptError(.unknownKey, "")) { try store.recipientKey(id) }
        try store.update { $0 = ring }
        #expect(try store.keyring()?.generation == 1)
        #expect(try store.recipientKey(id).publicKey.keyID == id)
        #expect(throws: PushCryptError(.unknownKey, "")) {
            try store.recipientKey(TestKeys.device().publicKey.keyID)
        }
        #expect(try TestKeyringStore(ring).recipientKey(id).publicKey.keyID == id)
    }

    @Test("Only changes are counted") func onlyChangesAreCounted() throws {
        let store = TestKeyringStore()
        try store.update { _ in }
        #expect(store.changes == 0)
        let ring = try ring()
        try store.update { $0 = ring }
        try store.update { _ in }
        #expect(store.changes == 1)
        try store.update { (ring) throws(PushCryptError) in try ring?.keyring.rotate(at: Date()) }
        #expect(store.changes == 2)
    }

    @Test("A change that throws stores nothing") func changeThatThrowsStoresNothing() throws {
        let store = TestKeyringStore(try ring())
        #expect(throws: PushCryptError(.sodiumUnavailable, "")) {
            try store.update { (ring) throws(PushCryptError) in
                try ring?.keyring.rotate(at: now)
                throw PushCryptError(.sodiumUnavailable, "x")
            }
        }
        #expect(store.stored?.generation == 1 && store.changes == 0)
    }

    @Test("An unreadable store neither reads nor changes")
    func unreadableStoreNeitherReadsNorChanges() throws {
        let ring = try ring()
        let store = TestKeyringStore(ring, behavior: .unreadable(CocoaError(.fileReadNoPermission)))
        var asked = false
        #expect(throws: CocoaError.self) { try store.keyring() }
        #expect(throws: CocoaError.self) {
            try store.recipientKey(ring.primary.key.publicKey.keyID)
        }
        #expect(throws: CocoaError.self) { try store.update { _ in asked = true } }
        #expect(!asked && store.changes == 0)
        #expect(store.stored?.generation == 1, "A test can still read the stored keyring.")
        store.behavior = .working
        #expect(try store.keyring()?.generation == 1)
    }

    @Test("An unwritable store reads and stores nothing")
    func unwritableStoreReadsAndStoresNothing() throws {
        let store = TestKeyringStore(
            try ring(), behavior: .unwritable(CocoaError(.fileWriteOutOfSpace)))
        var computed: UInt64?
        for _ in 0..<2 {
            #expect(throws: CocoaError.self) {
                try store.update { (ring) throws(PushCryptError) in
                    try ring?.keyring.rotate(at: now)
                    computed = ring?.generation
                }
            }
        }
        #expect(computed == 2)
        #expect(try store.keyring()?.generation == 1)
    }

    @Test("A store that fails once works afterwards") func storeThatFailsOnceWorksAfterwards()
        throws
    {
        let store = TestKeyringStore(
            try ring(), behavior: .failingOnce(CocoaError(.fileWriteUnknown)))
        #expect(throws: CocoaError.self) {
            try store.update { (ring) throws(PushCryptError) in try ring?.keyring.rotate(at: now) }
        }
        #expect(store.stored?.generation == 1)
        try store.update { (ring) throws(PushCryptError) in try ring?.keyring.rotate(at: now) }
        #expect(store.stored?.generation == 2 && store.changes == 1)
    }

    @Test("Changes are exclusive") func changesAreExclusive() throws {
        let store = TestKeyringStore(try ring())
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            try? store.update { (ring) throws(PushCryptError) in try ring?.keyring.rotate(at: now) }
        }
        #expect(store.stored?.generation == 41 && store.stored?.keys.count == 41)
        #expect(store.changes == 40)
    }
}

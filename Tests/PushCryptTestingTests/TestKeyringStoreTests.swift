import Dispatch
import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import Testing

@Suite struct TestKeyringStoreTests {
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func ring() throws -> Keyring<RecipientPrivateKey> { try Keyring(createdAt: now) }

    @Test func whatIsStoredIsFound() throws {
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

    @Test func onlyWhatChangesSomethingIsCounted() throws {
        let store = TestKeyringStore()
        try store.update { _ in }
        #expect(store.changes == 0)
        let ring = try ring()
        try store.update { $0 = ring }
        try store.update { _ in }
        #expect(store.changes == 1)
        try store.update { (ring) throws(PushCryptError) in try ring?.rotate(at: Date()) }
        #expect(store.changes == 2)
    }

    @Test func aChangeThatThrowsStoresNothing() throws {
        let store = TestKeyringStore(try ring())
        #expect(throws: PushCryptError(.sodiumUnavailable, "")) {
            try store.update { (ring) throws(PushCryptError) in
                try ring?.rotate(at: now)
                throw PushCryptError(.sodiumUnavailable, "x")
            }
        }
        #expect(store.stored?.generation == 1 && store.changes == 0)
    }

    @Test func anUnreadableStoreNeitherReadsNorChanges() throws {
        let ring = try ring()
        let store = TestKeyringStore(ring, behavior: .unreadable(CocoaError(.fileReadNoPermission)))
        var asked = false
        #expect(throws: CocoaError.self) { try store.keyring() }
        #expect(throws: CocoaError.self) { try store.recipientKey(ring.primary.key.publicKey.keyID) }
        #expect(throws: CocoaError.self) { try store.update { _ in asked = true } }
        #expect(!asked && store.changes == 0)
        #expect(store.stored?.generation == 1, "A test may look all the same.")
        store.behavior = .working
        #expect(try store.keyring()?.generation == 1)
    }

    @Test func anUnwritableStoreIsReadAndStoresNothing() throws {
        let store = TestKeyringStore(try ring(), behavior: .unwritable(CocoaError(.fileWriteOutOfSpace)))
        var computed: UInt64?
        for _ in 0..<2 {
            #expect(throws: CocoaError.self) {
                try store.update { (ring) throws(PushCryptError) in
                    try ring?.rotate(at: now)
                    computed = ring?.generation
                }
            }
        }
        #expect(computed == 2)
        #expect(try store.keyring()?.generation == 1)
    }

    @Test func aStoreThatFailsOnceWorksAfterwards() throws {
        let store = TestKeyringStore(try ring(), behavior: .failingOnce(CocoaError(.fileWriteUnknown)))
        #expect(throws: CocoaError.self) {
            try store.update { (ring) throws(PushCryptError) in try ring?.rotate(at: now) }
        }
        #expect(store.stored?.generation == 1)
        try store.update { (ring) throws(PushCryptError) in try ring?.rotate(at: now) }
        #expect(store.stored?.generation == 2 && store.changes == 1)
    }

    @Test func changesTakeTurns() throws {
        let store = TestKeyringStore(try ring())
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            try? store.update { (ring) throws(PushCryptError) in try ring?.rotate(at: now) }
        }
        #expect(store.stored?.generation == 41 && store.stored?.keys.count == 41)
        #expect(store.changes == 40)
    }
}

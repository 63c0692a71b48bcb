import PushCryptTesting
import Testing

@Suite struct TestKeyStoreTests {
    @Test("The store has the chosen behavior") func storeHasTheChosenBehavior() throws {
        let key = try TestKeys.device()
        let store = TestKeyStore(.keys([key]))
        #expect(try store.recipientKey(key.publicKey.keyID).publicKey == key.publicKey)
        #expect(throws: PushCryptError(.unknownKey, "")) {
            try store.recipientKey(TestKeys.device(.bob).publicKey.keyID)
        }
        store.behavior = .failure(PushCryptError(.fileSystemError, ""))
        #expect(throws: PushCryptError(.fileSystemError, "")) {
            try store.recipientKey(key.publicKey.keyID)
        }
        store.behavior = .hanging
        store.release()
        #expect(throws: PushCryptError(.keyUnreadable, "")) {
            try store.recipientKey(key.publicKey.keyID)
        }
    }
}

import PushCryptApple
import PushCryptCore
import Testing

@testable import PushCryptReceiver

#if !canImport(Security)
/// Where there is no keychain, the store says so; on Apple's platforms a test without an app may use none.
@Suite struct SystemKeychainTests {
    @Test func whereThereIsNoKeychainNothingIsMade() throws {
        let store = KeychainStore(accessGroup: "ABCDE12345.com.example.shared")
        let keys = DeviceKeys(store: store, installation: Installation(deviceID: "a", installationID: "b"))
        #expect(throws: PushCryptError(.keyUnreadable, "")) { try keys.prepare() }
        #expect(throws: PushCryptError(.keyUnreadable, "")) { try store.keyring() }
        #expect(throws: PushCryptError(.keyUnreadable, "")) { try store.deleteKeyring() }
    }

    @Test func everyCallSaysThatThereIsNone() {
        let (keychain, name) = (SystemKeychain(), KeychainItemKey(service: "a", account: "b", accessGroup: "c"))
        #expect(keychain.add(name, KeychainItem()) == .notAvailable)
        #expect(keychain.copyMatching(name).status == .notAvailable)
        #expect(keychain.update(name, having: nil, to: KeychainItem()) == .notAvailable)
        #expect(keychain.delete(name, having: nil) == .notAvailable)
    }
}
#endif

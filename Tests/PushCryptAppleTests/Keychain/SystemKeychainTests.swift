import PushCryptApple
import Testing

@testable import PushCryptReceiver

#if !canImport(Security)
/// The store on a system without a keychain; on Apple's platforms, a test without an app can't use
/// one.
@Suite struct SystemKeychainTests {
    @Test("A device without a keychain creates no keys") func deviceWithoutAKeychainCreatesNoKeys()
        throws
    {
        let store = KeychainStore(accessGroup: "ABCDE12345.com.example.shared")
        #expect(throws: PushCryptError(.keyUnreadable, "")) {
            try store.update { (keyring) throws(PushCryptError) in
                keyring = DeviceKeyring(try Keyring(createdAt: SystemTime().now))
            }
        }
        #expect(throws: PushCryptError(.keyUnreadable, "")) { try store.keyring() }
        #expect(throws: PushCryptError(.keyUnreadable, "")) { try store.deleteKeyring() }
    }

    @Test("Each call returns notAvailable on a system without a keychain")
    func eachCallReturnsNotAvailableOnASystemWithoutAKeychain() {
        let (keychain, name) = (
            SystemKeychain(), KeychainItemKey(service: "a", account: "b", accessGroup: "c")
        )
        #expect(keychain.add(name, KeychainItem()) == .notAvailable)
        #expect(keychain.copyMatching(name).status == .notAvailable)
        #expect(keychain.update(name, having: nil, to: KeychainItem()) == .notAvailable)
        #expect(keychain.delete(name, having: nil) == .notAvailable)
    }
}
#endif

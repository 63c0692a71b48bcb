import Foundation
import PushCryptTesting
import Testing

@Suite struct KeyStoreTests {
    private func code(_ store: some KeyStore) throws -> PushCryptError? {
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: TestKeys.device().publicKey)
        do {
            _ = try Opener(keys: store, senderPolicy: .anyone).open(json: push.payload)
            return nil
        } catch {
            return error
        }
    }

    @Test("A missing key is unknown") func missingKeyIsUnknown() throws {
        #expect(try code(InMemoryKeyStore([]))?.code == .unknownKey)
        #expect(try code(InMemoryKeyStore([TestKeys.device(.bob)]))?.code == .unknownKey)
    }

    @Test("An unreadable key isn't missing") func unreadableKeyIsntMissing() throws {
        #expect(
            try code(TestKeyStore(.failure(CocoaError(.fileReadNoPermission))))?.code
                == .keyUnreadable)
        #expect(
            try code(TestKeyStore(.failure(PushCryptError(.fileSystemError, "x"))))?.code
                == .keyUnreadable)
    }

    @Test(
        "A store may state why a key can't be read",
        arguments: [PushCryptError.Code.deviceLocked, .missingEntitlement])
    func storeMayStateWhyAKeyCantBeRead(_ code: PushCryptError.Code) throws {
        let error = try #require(
            try self.code(TestKeyStore(.failure(PushCryptError(code, "What to do.")))))
        #expect(error.code == code && error.reason == "What to do.")
    }

    @Test("A store's own error isn't quoted") func storesOwnErrorIsntQuoted() throws {
        struct Talkative: Error, CustomStringConvertible { let description = "d=SECRET" }
        let error = try #require(try code(TestKeyStore(.failure(Talkative()))))
        #expect(!error.description.contains("SECRET"))
    }

    @Test("Retired keys of a keyring file still open messages")
    func retiredKeysOfAKeyringFileStillOpenMessages() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("keyring.jwks").path
        let file = KeyringFile<RecipientPrivateKey>(path: path)
        let first = try file.createOrRotate(at: Date()).primary.key.publicKey
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: first)
        let opener = Opener(keys: KeyringFileStore(path: path), senderPolicy: .anyone)
        _ = try opener.open(json: push.payload)
        #expect(try file.createOrRotate(at: Date()).primary.key.publicKey != first)
        _ = try opener.open(json: push.payload)
        // As in the keychain, keys that were never stored aren't unreadable.
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: PushCryptError(.unknownKey, "")) { try opener.open(json: push.payload) }
    }
}

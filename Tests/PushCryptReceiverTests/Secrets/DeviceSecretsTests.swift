import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The places of the device's secrets.
@Suite struct DeviceSecretsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let group = "ABCDE12345.com.example.shared"

    private func isEqual(_ one: DeviceSecrets?, _ other: DeviceSecrets?) -> Bool {
        guard let one, let other else { return false }
        return one.epoch == other.epoch && one.receiptKey.isEqual(to: other.receiptKey)
            && one.logKey.isEqual(to: other.logKey)
    }

    @Test("Secrets have an epoch and two keys, all random") func secretsAreRandom() throws {
        let (one, other) = (try DeviceSecrets.random(), try DeviceSecrets.random())
        #expect(one.epoch.bytes.count == 16 && one.receiptKey.count == 32 && one.logKey.count == 32)
        #expect(one.epoch != other.epoch)
        #expect(
            !one.receiptKey.isEqual(to: other.receiptKey) && !one.logKey.isEqual(to: other.logKey))
        #expect(!one.receiptKey.isEqual(to: one.logKey))
    }

    @Test("A store of your own keeps their bytes") func storedBytesAreRead() throws {
        let secrets = try DeviceSecrets.random()
        let stored = try secrets.stored()
        #expect(stored.count == 81 && stored[0] == 1)
        #expect(try isEqual(DeviceSecrets(stored: stored), secrets))
        for invalid in [Data(), stored.dropLast(), stored + [0], Data([2]) + stored.dropFirst()] {
            #expect(throws: PushCryptError(.keyUnreadable, "")) {
                try DeviceSecrets(stored: invalid)
            }
        }
        #expect("\(secrets)" == "DeviceSecrets")
    }

    @Test("Each place keeps the first secrets", arguments: ["memory", "file", "keychain"])
    func eachPlaceKeepsTheFirstSecrets(place: String) throws {
        let store: any DeviceSecretsStore =
            switch place {
            case "memory": InMemorySecretsStore()
            case "file": SecretsFileStore(path: scratch.file("secrets"))
            default:
                KeychainSecretsStore(
                    TestKeychain(accessGroups: [Self.group]), accessGroup: Self.group)
            }
        #expect(try store.secrets() == nil)
        let found = try store.readOrCreate()
        #expect(found.areNew)
        #expect(try isEqual(store.secrets(), found.secrets))
        let later = try store.create(DeviceSecrets.random())
        #expect(isEqual(later, found.secrets))
        let again = try store.readOrCreate()
        #expect(!again.areNew && again.secrets.epoch == found.secrets.epoch)
    }

    @Test("The file has mode 0600, and one that others can read is an error") func fileIsPrivate()
        throws
    {
        let store = SecretsFileStore(path: scratch.file("secrets"))
        _ = try store.readOrCreate()
        #expect(scratch.mode(of: "secrets") == 0o600)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: scratch.file("secrets"))
        #expect(throws: PushCryptError(.keyUnreadable, "")) { _ = try store.read() }
    }

    @Test(
        "A locked or forbidden keychain is never a missing item",
        arguments: [-25308, -34018, -25293, -50] as [Int32])
    func lockedKeychainIsNotMissing(status: Int32) throws {
        let keychain = TestKeychain(accessGroups: [Self.group])
        let store = KeychainSecretsStore(keychain, accessGroup: Self.group)
        _ = try store.readOrCreate()
        keychain.failNext(.copyMatching, with: KeychainStatus(rawValue: status))
        keychain.failNext(.copyMatching, with: KeychainStatus(rawValue: status))
        #expect(throws: PushCryptError.self) { _ = try store.read() }
        #expect(throws: PushCryptError.self) { _ = try store.readOrCreate() }
    }

    @Test("Secrets that were found are read once, and missing ones again")
    func foundSecretsAreReadOnce() throws {
        let store = InMemorySecretsStore()
        let cached = CachedSecretsStore(store)
        #expect(try cached.secrets() == nil)
        let first = store.create(try DeviceSecrets.random())
        #expect(try isEqual(cached.secrets(), first))
    }
}

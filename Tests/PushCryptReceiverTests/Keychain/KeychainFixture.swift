import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// A keychain with the stores of an app and its extension.
struct KeychainFixture {
    static let group = "ABCDE12345.com.example.shared"

    let keychain = TestKeychain(accessGroups: [group])
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let name = KeychainItemKey(
        service: "pushcrypt", account: "device-keyring", accessGroup: group)

    var store: KeychainStore { KeychainStore(keychain, accessGroup: Self.group) }

    /// The other process's view of the keychain.
    var other: TestKeychain { keychain.sharing(accessGroups: [Self.group]) }

    var otherStore: KeychainStore { KeychainStore(other, accessGroup: Self.group) }

    /// The stored item.
    var item: KeychainItem { get throws { try #require(keychain.items[name]) } }

    /// The stored keyring, independent of the keychain's state.
    var stored: DeviceKeyring {
        get throws {
            let data = try #require(try item.data)
            return try data.withSpan { (bytes) throws(PushCryptError) in
                try DeviceKeyring(parsing: bytes)
            }
        }
    }

    /// The stored bytes.
    var bytes: [UInt8]? {
        keychain.items[name]?.data.map { data in
            data.withSpan { bytes in bytes.indices.map { bytes[$0] } }
        }
    }

    func ring() throws -> DeviceKeyring { try DeviceKeyring(createdAt: now) }

    /// Stores a keyring with one key.
    @discardableResult
    func make() throws -> DeviceKeyring {
        let ring = try ring()
        try store.update { $0 = ring }
        return ring
    }

    func rotate(_ store: KeychainStore) throws {
        try store.update { (ring) throws(PushCryptError) in try ring?.rotate(at: now) }
    }

    /// Stores an item as another program would.
    func put(
        _ data: SecretBytes?,
        _ accessible: KeychainAccessibility? = .afterFirstUnlockThisDeviceOnly,
        revision: [UInt8]? = [1, 2, 3]
    ) {
        keychain.put(name, KeychainItem(accessible: accessible, generic: revision, data: data))
    }

    static func secret(_ text: String) throws -> SecretBytes {
        let bytes = Array(text.utf8)
        return try SecretBytes(copying: bytes.span)
    }

    func device(
        _ store: KeychainStore? = nil, time: TestClock, rotationAge: TimeInterval = 90 * 86_400
    ) -> DeviceKeys {
        DeviceKeys(
            store: store ?? self.store,
            installation: Installation(deviceID: "device", installationID: "installation"),
            rotationAge: rotationAge, time: time)
    }
}

import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting

@testable import PushCryptReceiver

/// The secrets of all keys that a device has created, in this order.
final class ScenarioKeys: Sendable {
    private let state = LockedValue<(known: Set<KeyID>, secrets: [String])>(([], []))

    var secrets: [String] { state.withLock { $0.secrets } }

    func record(_ ring: DeviceKeyring?) {
        for key in ring?.keys ?? [] {
            state.withLock { state in
                guard state.known.insert(key.publicKey.keyID).inserted else { return }
                state.secrets.append(key.secret.withSpan { Base64URL.encode([UInt8](copying: $0)) })
            }
        }
    }
}

/// A keyring in memory, which can be locked and records its keys.
final class ScenarioKeyStore: KeyringStore {
    private let store = TestKeyringStore()
    private let keys: ScenarioKeys

    init(_ keys: ScenarioKeys) { self.keys = keys }

    var isLocked: Bool {
        get { if case .working = store.behavior { false } else { true } }
        set {
            let error = PushCryptError(.deviceLocked, "Not before the first unlock.")
            store.behavior = newValue ? .unreadable(error) : .working
        }
    }

    /// The primary key, even while the store is locked.
    var primary: KeyID? { store.stored?.primary.key.publicKey.keyID }

    /// The stored lists of accepted keys, even while the store is locked.
    var lists: [String] { store.stored?.signerLists ?? [] }

    func keyring() throws -> DeviceKeyring? { try store.keyring() }

    func update(_ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void) throws {
        try store.update(change)
        keys.record(store.stored)
    }

    func deleteKeyring() throws { try store.deleteKeyring() }
}

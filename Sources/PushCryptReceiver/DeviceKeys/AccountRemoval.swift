internal import Foundation
public import PushCryptCore
internal import PushCryptKeyring

extension DeviceRegistrar {
    /// Deletes the account's keys and the state of its registration, when the user signs out.
    ///
    /// Tell the server first, so that it stops sending. Pushes that are sealed already can never be opened again; an opener
    /// with `removedKeys` reports them as `removedAccount` for 32 days. Other accounts stay as they are.
    ///
    /// - Parameter removedKeys: The list for the IDs of the deleted keys; `nil` records nothing.
    /// - Throws: ``PushCryptError`` with `keyUnreadable`, `deviceLocked` or `missingEntitlement` if the keys can't be read or
    ///   deleted now, or a file error. Call it again then.
    public func removeAccount(recordingIn removedKeys: RemovedKeys?) throws(PushCryptError) {
        do {
            // Recorded first, because the IDs are unknown afterwards. An existing key opens messages nevertheless.
            if let removedKeys, let keyring = try store.keyring() {
                try removedKeys.add(keyring.keys.map(\.publicKey.keyID), at: time.now)
            }
            try store.deleteKeyring()
        } catch {
            throw .keyUnreadable("deleted", error)
        }
        try SecretFile(state.path).delete()
    }
}

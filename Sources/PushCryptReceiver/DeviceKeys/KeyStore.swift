public import PushCryptCore

/// Where a device keeps its private keys.
///
/// A store is asked on a thread of its own and may take its time: the delivery has its own deadline. What it must not do
/// is mistake one thing for another: `unknownKey` says that the key is certainly not here.
public protocol KeyStore: Sendable {
    /// Finds the private key that a message names, in whatever state it is.
    ///
    /// - Parameter id: the id from the message's envelope.
    /// - Returns: the key with this id; never another.
    /// - Throws: ``PushCryptError`` with `unknownKey` where there certainly is no such key. Any other error means that the
    ///   key cannot be read now, and is reported as `keyUnreadable`, or as `deviceLocked` or `missingEntitlement` where it is
    ///   one of these.
    func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey
}

extension KeyStore {
    /// Asks the store, and tells a key that is missing from one that cannot be read.
    func key(named id: KeyID) throws(PushCryptError) -> RecipientPrivateKey {
        let key: RecipientPrivateKey
        do {
            key = try recipientKey(id)
        } catch let error as PushCryptError where error.code == .unknownKey || error.saysWhyUnreadable {
            throw error
        } catch let error as PushCryptError {
            throw PushCryptError(.keyUnreadable, "The device's keys cannot be read now. \(error.reason)")
        } catch {
            // The store's own error may say anything, so only its type is repeated.
            throw PushCryptError(
                .keyUnreadable, "The device's keys cannot be read now (\(type(of: error))). Try again later.")
        }
        guard key.publicKey.keyID == id else {
            throw PushCryptError(.unknownKey, "The key store returned another key than the one with the id \(id).")
        }
        return key
    }
}

extension PushCryptError {
    /// Whether it says more exactly than `keyUnreadable` why keys cannot be read now.
    var saysWhyUnreadable: Bool { code == .deviceLocked || code == .missingEntitlement }
}

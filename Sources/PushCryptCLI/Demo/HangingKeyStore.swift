internal import Dispatch
internal import PushCryptCore
internal import PushCryptReceiver

/// A key store that never answers, as a keychain may when the system is busy.
struct HangingKeyStore: KeyStore {
    func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        DispatchSemaphore(value: 0).wait()
        throw PushCryptError(.keyUnreadable, "The store never gets here.")
    }
}

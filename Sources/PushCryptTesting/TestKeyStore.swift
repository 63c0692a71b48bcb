internal import Dispatch
public import PushCryptCore
public import PushCryptReceiver

/// A key store that behaves as a test says: has keys, fails, or never answers.
public final class TestKeyStore: KeyStore {
    /// What the store does when it is asked.
    public enum Behavior: Sendable {
        /// It finds these keys and no others.
        case keys([RecipientPrivateKey])
        /// It throws this error.
        case failure(any Error)
        /// It answers when ``TestKeyStore/release()`` is called, with no key.
        case hanging
    }

    private let behavior: LockedValue<Behavior>
    private let released = DispatchSemaphore(value: 0)

    /// Makes a store.
    ///
    /// - Parameter behavior: what it does when it is asked.
    public init(_ behavior: Behavior) {
        self.behavior = LockedValue(behavior)
    }

    /// Changes what the store does from now on.
    ///
    /// - Parameter behavior: what it does when it is asked.
    public func behave(_ behavior: Behavior) {
        self.behavior.withLock { $0 = behavior }
    }

    /// Lets one request go that is hanging.
    public func release() {
        released.signal()
    }

    /// Does what the behavior says.
    ///
    /// - Parameter id: the id from a message's envelope.
    /// - Returns: the key.
    /// - Throws: what the behavior says; `PushCryptError` with `unknownKey` where there is no such key.
    public func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        switch behavior.withLock({ $0 }) {
        case .keys(let keys):
            return try InMemoryKeyStore(keys).recipientKey(id)
        case .failure(let error):
            throw error
        case .hanging:
            released.wait()
            throw PushCryptError(.keyUnreadable, "The store was let go without a key.")
        }
    }
}

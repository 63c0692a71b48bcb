internal import Dispatch
public import PushCryptCore
public import PushCryptReceiver
internal import PushCryptSystem

/// A key store with the behavior that a test chooses.
public final class TestKeyStore: KeyStore {
    /// The behavior of a store.
    public enum Behavior: Sendable {
        /// Returns these keys.
        case keys([RecipientPrivateKey])
        /// Throws this error.
        case failure(any Error)
        /// Blocks until ``TestKeyStore/release()``, and then throws.
        case hanging
    }

    private let current: LockedValue<Behavior>
    private let released = DispatchSemaphore(value: 0)

    /// Creates a store.
    public init(_ behavior: Behavior) {
        current = LockedValue(behavior)
    }

    /// The behavior from now on.
    public var behavior: Behavior {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Releases one hanging call.
    public func release() {
        released.signal()
    }

    /// Returns no lists, because the store has the keys alone.
    public func signerLists() throws -> [String] { [] }

    /// Behaves as the test has chosen, and throws `unknownKey` if the store doesn't have the key.
    public func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        switch behavior {
        case .keys(let keys):
            return try InMemoryKeyStore(keys).recipientKey(id)
        case .failure(let error):
            throw error
        case .hanging:
            released.wait()
            throw PushCryptError(.keyUnreadable, "The test released the store without a key.")
        }
    }
}

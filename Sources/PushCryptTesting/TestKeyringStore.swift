public import PushCryptCore
public import PushCryptReceiver

/// A device's keyring in memory that behaves as a test says: works, or fails as a locked device or a full disk does.
///
/// Like a real store it may be used by several threads, as an app and its extension use one from two processes: changes take
/// turns, and one that fails stores nothing. A change must not use the store itself: it would wait for its own end.
public final class TestKeyringStore: KeyringStore {
    /// What the store does when it is used.
    public enum Behavior: Sendable {
        /// It keeps what it is given.
        case working
        /// It can neither be read nor changed, and throws this error: the device is locked.
        case unreadable(any Error)
        /// It can be read, computes each change, and then stores nothing and throws this error: the disk is full.
        case unwritable(any Error)
        /// The next change is computed, and then nothing is stored and this error thrown; from then on the store works.
        case failingOnce(any Error)
    }

    private struct State: Sendable {
        var keyring: Keyring<RecipientPrivateKey>?
        var behavior: Behavior
        var changes = 0
    }

    private let state: LockedValue<State>

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - keyring: what is in it; by default nothing, as before the first start.
    ///   - behavior: what it does when it is used.
    public init(_ keyring: Keyring<RecipientPrivateKey>? = nil, behavior: Behavior = .working) {
        state = LockedValue(State(keyring: keyring, behavior: behavior))
    }

    /// How many changes were stored; one that left the keyring as it was is none.
    public var changes: Int { state.withLock { $0.changes } }

    /// What is stored, whatever the behavior.
    public var stored: Keyring<RecipientPrivateKey>? { state.withLock { $0.keyring } }

    /// Changes what the store does from now on.
    ///
    /// - Parameter behavior: what it does when it is used.
    public func behave(_ behavior: Behavior) {
        state.withLock { $0.behavior = behavior }
    }

    /// Reads the keyring, if the behavior lets it.
    ///
    /// - Returns: the keyring; `nil` where there is none.
    /// - Throws: what the behavior says.
    public func keyring() throws -> Keyring<RecipientPrivateKey>? {
        try state.withLock { state in
            if case .unreadable(let error) = state.behavior { throw error }
            return state.keyring
        }
    }

    /// Changes the keyring, if the behavior lets it, while nobody else does.
    ///
    /// - Parameter change: changes the keyring.
    /// - Throws: what the behavior says, or what `change` throws; nothing is stored then.
    public func change(
        _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws {
        try state.withLock { state in
            if case .unreadable(let error) = state.behavior { throw error }
            var keyring = state.keyring
            try change(&keyring)
            switch state.behavior {
            case .working, .unreadable:
                break
            case .unwritable(let error):
                throw error
            case .failingOnce(let error):
                state.behavior = .working
                throw error
            }
            guard let keyring else { return }
            if let old = state.keyring, keyring.hasSameContents(as: old) { return }
            state.keyring = keyring
            state.changes += 1
        }
    }

    /// Finds a key in the keyring, in whatever state it is.
    ///
    /// - Parameter id: the id from a message's envelope.
    /// - Returns: the key.
    /// - Throws: what the behavior says; `PushCryptError` with `unknownKey` where there is no such key.
    public func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        guard let keyring = try keyring() else {
            throw PushCryptError(.unknownKey, "There is no keyring in the store, so no key has the id \(id).")
        }
        return try keyring.key(id)
    }
}

public import PushCryptCore
public import PushCryptReceiver
internal import PushCryptSystem

/// A keyring in memory with the behavior that a test chooses.
///
/// Several threads may use it. Updates are exclusive, and an update must not use the store itself.
///
/// ```swift
/// let store = TestKeyringStore()
/// store.behavior = .unreadable(PushCryptError(.deviceLocked, "The device is locked."))
/// ```
public final class TestKeyringStore: KeyringStore {
    /// The behavior of a store.
    public enum Behavior: Sendable {
        /// Stores each update.
        case working
        /// Throws this error for each call, like a locked device.
        case unreadable(any Error)
        /// Throws this error for each update, after computing it, like a full disk.
        case unwritable(any Error)
        /// Throws this error for the next update, after computing it, and works from then on.
        case failingOnce(any Error)
    }

    private struct State: Sendable {
        var keyring: DeviceKeyring?
        var behavior: Behavior
        var changes = 0
    }

    private let state: LockedValue<State>

    /// Creates a store; without a keyring, it is in the state before the first launch.
    public init(_ keyring: DeviceKeyring? = nil, behavior: Behavior = .working) {
        state = LockedValue(State(keyring: keyring, behavior: behavior))
    }

    /// The behavior from now on.
    public var behavior: Behavior {
        get { state.withLock { $0.behavior } }
        set { state.withLock { $0.behavior = newValue } }
    }

    /// The number of stored updates that changed the keyring.
    package var changes: Int { state.withLock { $0.changes } }

    /// The stored keyring, independent of the behavior.
    package var stored: DeviceKeyring? { state.withLock { $0.keyring } }

    /// Returns the keyring, or throws the chosen error.
    public func keyring() throws -> DeviceKeyring? {
        try state.withLock { state in
            if case .unreadable(let error) = state.behavior { throw error }
            return state.keyring
        }
    }

    /// Updates the keyring exclusively, and stores nothing after an error.
    public func update(
        _ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void
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

    /// Deletes the keyring, or throws the chosen error.
    public func deleteKeyring() throws {
        try update { _ in }
        state.withLock { $0.keyring = nil }
    }
}

package import Dispatch
public import PushCryptCore
internal import PushCryptSystem

/// A keyring file of a service, which is read again after each change without a restart.
///
/// ```swift
/// func openKeys() throws -> KeyringSource<SigningKey> {
///     let file = KeyringFile<SigningKey>(path: "/run/secrets/server.jwks", isMounted: true)
///     return try KeyringSource(file) { error in print("The old keys stay in use:", error) }
/// }
/// ```
///
/// Read ``primaryKey`` for each push. Once per interval at most, one thread checks for a change with one system call.
public final class KeyringSource<Key: PrivateKey>: Sendable {
    private let file: KeyringFile<Key>
    private let interval: Double
    private let onError: @Sendable (PushCryptError) -> Void
    private let now: @Sendable () -> DispatchTime
    private let state: LockedValue<State>

    /// The keyring that is in use, and the time of the next check of its file.
    private struct State {
        var keyring: Keyring<Key>
        /// The stamp of the file; `nil` after an error.
        var stamp: [Int]?
        var nextLook: DispatchTime
    }

    /// Reads a keyring file, and follows its changes from then on.
    ///
    /// - Parameters:
    ///   - file: The file, which is only read.
    ///   - interval: The shortest time between two checks of the file, in seconds.
    ///   - onError: The closure that gets the error of a changed file. The old keys stay in use. The next check is ten
    ///     intervals later.
    /// - Throws: ``PushCryptError`` as ``KeyringFile/read()`` does.
    public convenience init(
        _ file: KeyringFile<Key>, interval: Double = 1, onError: @escaping @Sendable (PushCryptError) -> Void
    ) throws(PushCryptError) {
        try self.init(file, interval: interval, now: { .now() }, onError: onError)
    }

    /// Reads a keyring file, and follows its changes by another clock.
    package init(
        _ file: KeyringFile<Key>, interval: Double, now: @escaping @Sendable () -> DispatchTime,
        onError: @escaping @Sendable (PushCryptError) -> Void
    ) throws(PushCryptError) {
        self.file = file
        self.interval = interval > 0 ? interval : 0
        self.now = now
        self.onError = onError
        // Before the read, so that the next check finds a change in between.
        let stamp = FileSystem.stamp(of: file.path)
        state = LockedValue(
            State(keyring: try file.read(), stamp: stamp, nextLook: now() + self.interval))
    }

    /// The current primary key.
    public var primaryKey: Key { keyring.primary.key }

    /// The current keyring.
    public var keyring: Keyring<Key> {
        let time = now()
        let known = state.withLock { state in
            let known = state
            // No other thread checks the file until this check ends.
            if time >= known.nextLook { state.nextLook = .distantFuture }
            return known
        }
        guard time >= known.nextLook else { return known.keyring }
        let stamp = FileSystem.stamp(of: file.path)
        var next = State(keyring: known.keyring, stamp: stamp, nextLook: now() + interval)
        var failure: PushCryptError?
        if stamp == nil || stamp != known.stamp {
            do throws(PushCryptError) {
                next.keyring = try file.read()
            } catch {
                next.stamp = nil
                next.nextLook = now() + 10 * interval
                failure = error
            }
        }
        state.withLock { [next] state in state = next }
        if let failure { onError(failure) }
        return next.keyring
    }
}

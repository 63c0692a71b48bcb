internal import Dispatch
public import PushCryptCore
internal import PushCryptSystem

/// A keyring file of a service, which is read again after each change without a restart.
///
/// ```swift
/// func openKeys() throws -> SigningKeyringSource {
///     let file = SigningKeyringFile(path: "/run/secrets/server.jwks", isMounted: true)
///     return try KeyringSource(file) { error in print("The old keys stay in use:", error) }
/// }
/// ```
///
/// Read ``keyring`` for each push. Once per interval at most, one thread checks for a change with
/// one system call.
public final class KeyringSource<Key: PrivateKey>: Sendable {
    private let file: KeyringFile<Key>
    private let interval: Double
    private let whenUnreadable: UnreadableKeyring
    private let onError: @Sendable (PushCryptError) -> Void
    private let now: @Sendable () -> DispatchTime
    private let state: LockedValue<State>

    /// The keyring that is in use, or the error that ended its use, and the time of the next check
    /// of its file.
    private struct State {
        var keyring: Result<Keyring<Key>, PushCryptError>
        /// The stamp of the file; `nil` after an error.
        var stamp: [Int]?
        var nextLook: DispatchTime
    }

    /// Reads a keyring file, and follows its changes from then on.
    ///
    /// - Parameters:
    ///   - file: The file, which is only read.
    ///   - interval: The shortest time between two checks of the file, in seconds.
    ///   - whenUnreadable: The treatment of a file that is deleted or damaged later. By default,
    ///     the old keys stay in use.
    ///   - onError: The closure that gets the error of a changed file. The next check is ten
    ///     intervals later.
    /// - Throws: ``PushCryptError`` as ``KeyringFile/read()`` does.
    public convenience init(
        _ file: KeyringFile<Key>, interval: Double = 1,
        whenUnreadable: UnreadableKeyring = .keepKeys,
        onError: @escaping @Sendable (PushCryptError) -> Void
    ) throws(PushCryptError) {
        try self.init(
            file, interval: interval, whenUnreadable: whenUnreadable, now: { .now() },
            onError: onError)
    }

    /// Reads a keyring file, and follows its changes by another clock.
    init(
        _ file: KeyringFile<Key>, interval: Double, whenUnreadable: UnreadableKeyring,
        now: @escaping @Sendable () -> DispatchTime,
        onError: @escaping @Sendable (PushCryptError) -> Void
    ) throws(PushCryptError) {
        self.file = file
        self.interval = interval > 0 ? interval : 0
        self.whenUnreadable = whenUnreadable
        self.now = now
        self.onError = onError
        // Before the read, so that the next check finds a change in between.
        let stamp = FileSystem.stamp(of: file.path)
        state = LockedValue(
            State(keyring: .success(try file.read()), stamp: stamp, nextLook: now() + self.interval)
        )
    }

    /// The current primary key.
    ///
    /// - Throws: ``PushCryptError`` as ``keyring`` does.
    public var primaryKey: Key { get throws(PushCryptError) { try keyring.primary.key } }

    /// The current keyring.
    ///
    /// While one thread reads the file, the others get what was known before.
    ///
    /// - Throws: With ``UnreadableKeyring/fail``, the ``PushCryptError`` of the last read. By
    ///   default it never throws.
    public var keyring: Keyring<Key> {
        get throws(PushCryptError) {
            let time = now()
            let known = state.withLock { state in
                let known = state
                // No other thread checks the file until this check ends.
                if time >= known.nextLook { state.nextLook = .distantFuture }
                return known
            }
            return try (time >= known.nextLook ? look(after: known) : known.keyring).get()
        }
    }

    /// Checks the file, and reads it if it has changed.
    private func look(after known: State) -> Result<Keyring<Key>, PushCryptError> {
        let stamp = FileSystem.stamp(of: file.path)
        var next = State(keyring: known.keyring, stamp: stamp, nextLook: now() + interval)
        var failure: PushCryptError?
        if stamp == nil || stamp != known.stamp {
            do throws(PushCryptError) {
                next.keyring = .success(try file.read())
            } catch {
                if whenUnreadable == .fail { next.keyring = .failure(error) }
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

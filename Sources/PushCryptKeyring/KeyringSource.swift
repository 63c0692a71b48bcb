internal import Dispatch
public import PushCryptCore

/// A keyring file of a service, which is read again after each change without a restart.
///
/// ```swift
/// func openKeys() throws -> KeyringSource<SigningKey> {
///     let file = KeyringFile<SigningKey>(path: "/run/secrets/server.jwks", isMounted: true)
///     return try KeyringSource(file) { error in print("The old keys stay in use:", error) }
/// }
/// ```
///
/// Read ``primaryKey`` for each push. Once per interval at most, one thread looks for a change with one system call.
public final class KeyringSource<Key: PrivateKey>: Sendable {
    private let file: KeyringFile<Key>
    private let interval: Double
    private let onError: @Sendable (PushCryptError) -> Void
    /// The keyring, the stamp of its file, or `nil` after an error, and the time of the next look.
    private let state: LockedValue<(keyring: Keyring<Key>, stamp: [Int]?, nextLook: DispatchTime)>

    /// Reads a keyring file, and follows its changes from then on.
    ///
    /// - Parameters:
    ///   - file: the file, which is only read.
    ///   - interval: the shortest time between two looks at the file, in seconds.
    ///   - onError: the closure that gets the error of a changed file. The old keys stay in use. The next look is ten
    ///     intervals later.
    /// - Throws: ``PushCryptError`` as ``KeyringFile/read()`` does.
    public init(
        _ file: KeyringFile<Key>, interval: Double = 1, onError: @escaping @Sendable (PushCryptError) -> Void
    ) throws(PushCryptError) {
        self.file = file
        self.interval = interval > 0 ? interval : 0
        self.onError = onError
        // Before the read: a change in between is then found by the next look.
        let stamp = FileSystem.stamp(of: file.path)
        state = LockedValue((try file.read(), stamp, .now() + self.interval))
    }

    /// The current primary key.
    public var primaryKey: Key { keyring.primary.key }

    /// The current keyring.
    public var keyring: Keyring<Key> {
        let (known, isDue) = state.withLock { state in
            let known = (state, DispatchTime.now() >= state.nextLook)
            // Until this look ends, no other thread looks.
            if known.1 { state.nextLook = .distantFuture }
            return known
        }
        guard isDue else { return known.keyring }
        let stamp = FileSystem.stamp(of: file.path)
        var next = (keyring: known.keyring, stamp: stamp, nextLook: DispatchTime.now() + interval)
        var failure: PushCryptError?
        if stamp == nil || stamp != known.stamp {
            do throws(PushCryptError) {
                next.keyring = try file.read()
            } catch {
                (next.stamp, next.nextLook, failure) = (nil, .now() + 10 * interval, error)
            }
        }
        state.withLock { [next] in $0 = next }
        if let failure { onError(failure) }
        return next.keyring
    }
}

internal import PushCryptCore
internal import PushCryptSystem

/// The place of an app's ``DeviceSecrets``, which the app and its extensions read.
///
/// On Apple's platforms, `KeychainSecretsStore` keeps them in the keychain. A store of your own
/// must keep them on this device, readable after the first unlock, and out of the directory that
/// holds the app's stores.
public protocol DeviceSecretsStore: Sendable {
    /// Returns the secrets; `nil` only if they certainly don't exist.
    ///
    /// - Throws: An error if the secrets can't be read now.
    func secrets() throws -> DeviceSecrets?

    /// Stores the first secrets. Only the app calls it.
    ///
    /// - Returns: The stored secrets, which are other ones if another process was faster.
    /// - Throws: An error if the secrets can't be stored now.
    func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets
}

extension DeviceSecretsStore {
    /// Returns the secrets as ``secrets()`` does, with one type of error.
    func read() throws(PushCryptError) -> DeviceSecrets? {
        do {
            return try secrets()
        } catch {
            throw .secretsUnreadable(error)
        }
    }

    /// Returns the secrets, and creates them if they don't exist.
    func readOrCreate() throws(PushCryptError) -> FoundSecrets {
        if let secrets = try read() { return FoundSecrets(secrets: secrets, areNew: false) }
        let new = try DeviceSecrets.random()
        do {
            let stored = try create(new)
            return FoundSecrets(secrets: stored, areNew: stored.epoch == new.epoch)
        } catch {
            throw .secretsUnreadable(error)
        }
    }
}

/// Secrets, and whether they were created just now.
struct FoundSecrets: Sendable {
    let secrets: DeviceSecrets
    let areNew: Bool
}

extension PushCryptError {
    /// Returns the error for secrets that a store can't use now.
    static func secretsUnreadable(_ error: any Error) -> PushCryptError {
        let known = error as? PushCryptError
        if let known,
            [.deviceLocked, .missingEntitlement, .invalidConfiguration].contains(known.code)
        {
            return known
        }
        // A store's own error may contain anything, so only its type is repeated.
        let reason = known?.reason ?? "The store threw \(type(of: error)). Try again later."
        return PushCryptError(.keyUnreadable, "The device's secrets can't be used now. \(reason)")
    }
}

/// Secrets in memory, for tests and for processes that keep no state.
public final class InMemorySecretsStore: DeviceSecretsStore {
    private let stored = LockedValue<DeviceSecrets?>(nil)

    /// Creates a store without secrets.
    public init() {}

    /// Returns the secrets; `nil` before ``create(_:)``.
    public func secrets() -> DeviceSecrets? { stored.withLock { $0 } }

    /// Stores the secrets unless others are stored, and returns the stored ones.
    public func create(_ secrets: DeviceSecrets) -> DeviceSecrets {
        stored.withLock { stored in
            let first = stored ?? secrets
            stored = first
            return first
        }
    }
}

/// Secrets that were read once, so that one notification reads the keychain once.
///
/// Only secrets that were found are kept: missing or unreadable ones may be there the next time.
final class CachedSecretsStore: DeviceSecretsStore {
    private let store: any DeviceSecretsStore
    private let found = LockedValue<DeviceSecrets?>(nil)

    init(_ store: any DeviceSecretsStore) { self.store = store }

    /// Returns a store that reads once: the same one if it does so already.
    static func reading(_ store: any DeviceSecretsStore) -> CachedSecretsStore {
        store as? CachedSecretsStore ?? CachedSecretsStore(store)
    }

    func secrets() throws -> DeviceSecrets? {
        if let secrets = found.withLock({ $0 }) { return secrets }
        // Outside of the lock, because the store may block.
        let secrets = try store.secrets()
        if let secrets { found.withLock { $0 = secrets } }
        return secrets
    }

    func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets { try store.create(secrets) }
}

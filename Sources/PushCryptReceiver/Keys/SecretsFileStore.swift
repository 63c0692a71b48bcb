internal import PushCryptCore
internal import PushCryptSystem

/// The device's secrets in a file of mode 0600, for systems without a keychain.
///
/// ```swift
/// let secrets = SecretsFileStore(path: "/var/lib/agent/secrets")
/// ```
///
/// Keep the file out of the directory with the app's stores: if both are rolled back together,
/// messages may open again.
public struct SecretsFileStore: DeviceSecretsStore {
    private let file: SecretFile

    /// Creates a store without opening the file.
    public init(path: String) { file = SecretFile(path) }

    /// Returns the secrets; `nil` if the file doesn't exist.
    ///
    /// - Throws: ``PushCryptError`` with `insecureFile` or `fileSystemError`, or `keyUnreadable`
    ///   for a damaged file.
    public func secrets() throws -> DeviceSecrets? {
        try file.readIfPresent().map { (bytes) throws(PushCryptError) in try DeviceSecrets(bytes) }
    }

    /// Creates the file with these secrets, or returns the secrets of an existing file.
    ///
    /// - Throws: ``PushCryptError`` as ``secrets()`` does, or with `lockTimeout` or `fileNotFound`.
    public func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets {
        let bytes = try secrets.bytes()
        return try file.withLock { () throws(PushCryptError) in
            if let existing = try file.readIfPresent() { return try DeviceSecrets(existing) }
            try file.create(bytes)
            return secrets
        }
    }
}

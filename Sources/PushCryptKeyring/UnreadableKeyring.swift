/// The treatment of a keyring file that a running service can't read any more.
///
/// ```swift
/// let file = SigningKeyringFile(path: "/run/secrets/server.jwks", isMounted: true)
/// let keys = try KeyringSource(file, whenUnreadable: .fail) { error in print("No keys:", error) }
/// ```
public struct UnreadableKeyring: Sendable, Hashable {
    private let keepsKeys: Bool

    /// Keeps the old keys in use, so that a broken file doesn't stop the service.
    public static var keepKeys: UnreadableKeyring { UnreadableKeyring(keepsKeys: true) }

    /// Forgets the old keys until the file can be read again, so that deleting a leaked keyring
    /// stops the service.
    public static var fail: UnreadableKeyring { UnreadableKeyring(keepsKeys: false) }
}

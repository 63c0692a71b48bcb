/// The state in which a registration has found the device's keys.
public struct KeyPreparation: Sendable, Hashable, CustomStringConvertible {
    /// A stable name for logs, such as `created`.
    public let description: String

    /// The keyring didn't exist, and the first key was created.
    public static let created = Self(description: "created")
    /// The keys belong to this installation.
    public static let unchanged = Self(description: "unchanged")
    /// The app was reinstalled on the same device, and a new key replaces the keys.
    ///
    /// The keys may be from an old backup.
    /// The old keys open messages until the new key is confirmed, and then as retired keys.
    public static let reinstalled = Self(description: "reinstalled")
    /// The keys came from another device, or the device's identifier changed, and a new key
    /// replaces them.
    public static let restored = Self(description: "restored")
}

/// Codes of settings, memory, files and locks.
extension PushCryptError.Code {
    /// A setting of the receiver isn't valid, such as two accounts with one name.
    public static let invalidConfiguration = Self(rawValue: "invalid-configuration")

    /// libsodium couldn't start or couldn't allocate memory.
    public static let sodiumUnavailable = Self(rawValue: "sodium-unavailable")

    /// The file doesn't exist.
    public static let fileNotFound = Self(rawValue: "file-not-found")

    /// The file exists already and must not be overwritten.
    public static let fileExists = Self(rawValue: "file-exists")

    /// Other users can access or replace the key file or its lock, or it isn't a regular file with
    /// one name.
    public static let insecureFile = Self(rawValue: "insecure-file")

    /// Another process has held the lock of a file for too long.
    public static let lockTimeout = Self(rawValue: "lock-timeout")

    /// A file couldn't be read or written.
    public static let fileSystemError = Self(rawValue: "file-system-error")
}

internal import Foundation
public import PushCryptReceiver

/// The container that an app and its extensions share.
public enum SharedFolder {
    /// Finds an app group's container.
    ///
    /// - Parameter group: the app group, as in the entitlements.
    /// - Returns: the path; `nil` where this target does not have the app group, and on systems that know none.
    public static func path(ofAppGroup group: String) -> String? {
        #if canImport(Darwin)
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?.path
        #else
        nil
        #endif
    }
}

extension OutcomeLog {
    /// The log that app and extension share.
    ///
    /// Its file is not protected by the passcode: it holds nothing of any message, and it must be possible to write that a
    /// notification came before the device was unlocked for the first time.
    ///
    /// - Parameter folder: the shared folder.
    public init(inSharedFolder folder: String) {
        let path = folder + "/pushcrypt.outcomes"
        #if canImport(Darwin)
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(
                atPath: path, contents: nil,
                attributes: [.protectionKey: FileProtectionType.none, .posixPermissions: 0o600])
        }
        #endif
        self.init(path: path)
    }
}

extension FileReplayGuard {
    /// The replay guard that app and extension share.
    ///
    /// - Parameters:
    ///   - folder: the shared folder.
    ///   - freshness: the opener's limits.
    public init(inSharedFolder folder: String, freshness: Freshness = .standard) {
        self.init(path: folder + "/pushcrypt.ids", freshness: freshness)
    }
}

internal import Foundation
public import PushCryptReceiver

/// The container that an app and its extensions share.
public enum SharedContainer {
    /// Finds an app group's container.
    ///
    /// - Parameter group: the app group, as in the entitlements.
    /// - Returns: the path; `nil` where this target does not have the app group, and on systems that know none. macOS has a
    ///   path for any name, so there a missing app group shows when the files are used.
    public static func path(ofAppGroup group: String) -> String? {
        #if canImport(Darwin)
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?.path
        #else
        nil
        #endif
    }

    #if canImport(Darwin)
    /// Makes an empty file with a protection class of its own, where there is none yet.
    ///
    /// The other process may be making it, too, so nothing is ever overwritten.
    fileprivate static func make(_ path: String, protection: Data.WritingOptions) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try? Data().write(to: URL(fileURLWithPath: path), options: [.withoutOverwriting, protection])
    }
    #endif
}

extension DeliveryLog {
    /// The log that app and extension share.
    ///
    /// Its file is not protected by the passcode: it holds nothing of any message, and it must be possible to write that a
    /// notification came before the device was unlocked for the first time.
    ///
    /// - Parameter folder: the shared folder.
    public init(inSharedFolder folder: String) {
        let path = folder + "/pushcrypt.outcomes"
        #if canImport(Darwin)
        SharedContainer.make(path, protection: .noFileProtection)
        #endif
        self.init(path: path)
    }
}

extension FileReplayGuard {
    /// The replay guard that app and extension share.
    ///
    /// Its file can be used once the device was unlocked since it was started, as the keys can: in an app whose files are
    /// protected until the device is unlocked again, nothing would be refused on a locked one.
    ///
    /// - Parameters:
    ///   - folder: the shared folder.
    ///   - name: the file's name. What the app opens by itself, such as background pushes, needs a file of its own: a message
    ///     that the extension has opened is a repetition in the same one.
    ///   - freshness: the opener's limits.
    public init(
        inSharedFolder folder: String, name: String = "pushcrypt.ids", freshness: Freshness = .standard
    ) {
        let path = folder + "/" + name
        #if canImport(Darwin)
        SharedContainer.make(path, protection: .completeFileProtectionUntilFirstUserAuthentication)
        #endif
        self.init(path: path, freshness: freshness)
    }
}

internal import Foundation
public import PushCryptReceiver

/// The container that an app and its extensions share.
public enum SharedContainer {
    /// Returns the path of an app group's container.
    ///
    /// - Parameter group: The app group of the entitlements.
    /// - Returns: The path; `nil` if this target doesn't have the app group. macOS returns a path for any name, so a missing
    ///   app group shows there when the files are used.
    public static func path(ofAppGroup group: String) -> String? {
        #if canImport(Darwin)
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?.path
        #else
        nil
        #endif
    }

    /// Creates an empty file that can be used after the first unlock, or at any time, unless a process has created it.
    static func create(_ path: String, isProtected: Bool = true) {
        #if canImport(Darwin)
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let protection: Data.WritingOptions =
            isProtected ? .completeFileProtectionUntilFirstUserAuthentication : .noFileProtection
        try? Data().write(to: URL(fileURLWithPath: path), options: [.withoutOverwriting, protection])
        #endif
    }
}

extension DeliveryLog {
    /// Creates the log that the app and its extension share.
    ///
    /// The passcode doesn't protect its file, so that the extension can write to it before the first unlock. The file
    /// contains nothing of any message.
    public init(inSharedDirectory directory: String) {
        let path = directory + "/pushcrypt.outcomes"
        SharedContainer.create(path, isProtected: false)
        self.init(path: path)
    }
}

extension FileReplayGuard {
    /// Creates the replay guard that the app and its extension share.
    ///
    /// Its files can be used after the first unlock, like the keys.
    ///
    /// - Parameters:
    ///   - directory: The shared directory.
    ///   - name: The name of the file. Use another file for pushes that the app opens itself, such as background pushes:
    ///     the guard rejects a message that the extension has opened.
    public init(inSharedDirectory directory: String, name: String = "pushcrypt.ids") {
        self.init(path: directory + "/" + name)
        create = { SharedContainer.create($0) }
    }
}

extension RemovedKeys {
    /// Creates the list of removed accounts' keys that the app and its extension share.
    public init(inSharedDirectory directory: String) {
        let path = directory + "/pushcrypt.removed"
        SharedContainer.create(path)
        self.init(path: path)
    }
}

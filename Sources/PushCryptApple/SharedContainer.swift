internal import Foundation
public import PushCryptReceiver

/// The container that an app and its extensions share.
public enum SharedContainer {
    /// Returns the path of an app group's container.
    ///
    /// - Parameter group: The app group of the entitlements.
    /// - Returns: The path; `nil` if this target doesn't have the app group. macOS returns a path for any name, so a
    ///   missing app group shows there when the files are used.
    public static func path(ofAppGroup group: String) -> String? {
        #if canImport(Darwin)
        group.isEmpty ? nil : FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?.path
        #else
        nil
        #endif
    }

    /// The path of the container of the Info.plist's `PushCryptAppGroup`; `nil` if the setting or the app group is
    /// missing.
    public static var path: String? { (try? InfoPlist().appGroup.get()).flatMap(path(ofAppGroup:)) }

    /// Creates the files that the app and its extensions share, and resets the protection of existing ones.
    ///
    /// Call it at each launch of the app, because a file that the extension creates can have the directory's
    /// protection.
    public static func prepare(_ directory: String) {
        for name in protectedFiles + unprotectedFiles { create(directory + "/" + name) }
    }

    /// The names of the files; the extension needs the unprotected one before the first unlock.
    package static let protectedFiles = ["pushcrypt.ids", "pushcrypt.removed", "pushcrypt.shown"]
    package static let unprotectedFiles = ["pushcrypt.outcomes"]

    /// Creates an empty file that can be used after the first unlock, or at any time, or resets its protection.
    static func create(_ path: String) {
        let url = URL(fileURLWithPath: path)
        let (option, type) = protection(ofFile: url.lastPathComponent)
        try? Data().write(to: url, options: [.withoutOverwriting, option])
        let attributes: [FileAttributeKey: Any] = [.protectionKey: type, .posixPermissions: 0o600]
        try? FileManager.default.setAttributes(attributes, ofItemAtPath: path)
    }

    static func protection(ofFile name: String) -> (Data.WritingOptions, FileProtectionType) {
        guard !unprotectedFiles.contains(name) else { return (.noFileProtection, .none) }
        return (.completeFileProtectionUntilFirstUserAuthentication, .completeUntilFirstUserAuthentication)
    }
}

extension DeliveryLog {
    /// Creates the log that the app and its extension share.
    ///
    /// The passcode doesn't protect its file, so that the extension can write to it before the first unlock. The file
    /// contains nothing of any message.
    public init(inSharedDirectory directory: String) {
        let path = directory + "/pushcrypt.outcomes"
        SharedContainer.create(path)
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
    ///   - name: The name of the file. Use another file for pushes that the app opens itself, such as background
    ///     pushes: the guard rejects a message that the extension has opened.
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

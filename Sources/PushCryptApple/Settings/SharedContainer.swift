internal import Foundation
internal import PushCryptReceiver

/// The container that an app and its extensions share.
public enum SharedContainer {
    /// Returns the path of an app group's container.
    ///
    /// - Parameter group: The app group of the entitlements.
    /// - Returns: The path; `nil` if this target doesn't have the app group. macOS returns a path
    ///   for any name, so a missing app group shows there when the files are used.
    public static func path(ofAppGroup group: String) -> String? {
        #if canImport(Darwin)
        group.isEmpty
            ? nil
            : FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?.path
        #else
        nil
        #endif
    }

    /// The path of the container of the Info.plist's `PushCryptAppGroup`; `nil` if the setting or
    /// the app group is missing.
    public static var path: String? { (try? InfoPlist().appGroup.get()).flatMap(path(ofAppGroup:)) }

    /// The names of the files that the extension needs before the first unlock.
    private static let unprotectedFiles = ["pushcrypt.outcomes", "pushcrypt.lock"]

    /// Creates an empty file that can be used after the first unlock, or at any time, or resets its
    /// attributes.
    ///
    /// The file is excluded from backups: a restored one would have forgotten later messages. The
    /// system may reset that when a file is replaced, so it's set again each time.
    ///
    /// Source: Apple, `NSURLIsExcludedFromBackupKey` ("Some operations commonly made to user
    /// documents cause this property to be reset to false").
    static func create(_ path: String) {
        var url = URL(fileURLWithPath: path)
        let (option, type) = protection(ofFile: url.lastPathComponent)
        try? Data().write(to: url, options: [.withoutOverwriting, option])
        let attributes: [FileAttributeKey: Any] = [.protectionKey: type, .posixPermissions: 0o600]
        try? FileManager.default.setAttributes(attributes, ofItemAtPath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
    }

    static func protection(ofFile name: String) -> (Data.WritingOptions, FileProtectionType) {
        guard !unprotectedFiles.contains(name) else { return (.noFileProtection, .none) }
        return (
            .completeFileProtectionUntilFirstUserAuthentication,
            .completeUntilFirstUserAuthentication
        )
    }
}

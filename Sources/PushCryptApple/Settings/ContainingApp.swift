internal import Foundation

/// The app of this process, even in its extensions.
enum ContainingApp {
    static var path: String { path(of: Bundle.main.bundlePath) }

    /// The keychain's service for the app's items: two apps of one keychain group must not share
    /// their keys.
    static var keychainService: String { keychainService(of: Bundle(path: path)?.bundleIdentifier) }

    /// Returns the path of an extension's app: two directories above it, or three on macOS.
    static func path(of bundlePath: String) -> String {
        var directory = URL(fileURLWithPath: bundlePath)
        guard directory.pathExtension == "appex" else { return bundlePath }
        for _ in 0..<3 {
            directory.deleteLastPathComponent()
            if directory.pathExtension == "app" { return directory.path }
        }
        return bundlePath
    }

    static func keychainService(of identifier: String?) -> String {
        identifier.map { "pushcrypt.\($0)" } ?? "pushcrypt"
    }
}

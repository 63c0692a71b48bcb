public import Foundation

/// Stands in for Apple's class of the same name; the system creates its only object.
@MainActor open class UIApplication: UIResponder {
    /// Stands in for Apple's structure of the same name, without its keys.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Stands in for Apple's property of the same name.
        public let rawValue: String

        /// Stands in for Apple's initializer of the same name.
        public nonisolated init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Stands in for Apple's property of the same name.
    public class var shared: UIApplication { one }

    /// Stands in for Apple's constant of the same name, which isn't isolated to the main actor in
    /// UIKit's headers.
    public nonisolated static let didBecomeActiveNotification = NSNotification.Name(
        "UIApplicationDidBecomeActiveNotification")

    /// Stands in for Apple's constant of the same name, which isn't isolated to the main actor in
    /// UIKit's headers.
    public nonisolated static let protectedDataDidBecomeAvailableNotification = NSNotification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable")

    private static let one = UIApplication()

    /// Not Apple's: the number of registrations.
    package private(set) var registrations = 0

    /// Stands in for Apple's method of the same name.
    open func registerForRemoteNotifications() { registrations += 1 }
}

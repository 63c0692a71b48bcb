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

    /// Stands in for Apple's constant of the same name, which isn't isolated to the main actor in UIKit's headers.
    public nonisolated static let didBecomeActiveNotification = NSNotification.Name(
        "UIApplicationDidBecomeActiveNotification")

    private static let one = UIApplication()

    /// Not Apple's: the number of registrations.
    package private(set) var registrations = 0

    private nonisolated let tasks = BackgroundTasks()

    /// Not Apple's: ends the system's time for background tasks.
    package func expireBackgroundTasks() {
        for handler in tasks.handlers { handler() }
    }

    /// Not Apple's: the number of background tasks that haven't ended.
    package nonisolated var backgroundTasks: (begun: Int, running: Int) { tasks.counts }

    /// Stands in for Apple's method of the same name.
    open func registerForRemoteNotifications() { registrations += 1 }

    /// Stands in for Apple's method of the same name.
    open nonisolated func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks.begin(handler)
    }

    /// Stands in for Apple's method of the same name.
    open nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { tasks.end(identifier) }
}

/// Stands in for Apple's structure of the same name.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// Stands in for Apple's constant of the same name.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)

    /// Stands in for Apple's property of the same name.
    public let rawValue: Int

    /// Stands in for Apple's initializer of the same name.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

private final class BackgroundTasks: @unchecked Sendable {
    private let lock = NSLock()
    private var last = 0
    private typealias Handler = @MainActor @Sendable () -> Void
    private var running: [UIBackgroundTaskIdentifier: Handler?] = [:]

    var counts: (begun: Int, running: Int) { lock.withLock { (last, running.count) } }
    var handlers: [@MainActor @Sendable () -> Void] { lock.withLock { running.values.compactMap { $0 } } }

    func begin(_ handler: (@MainActor @Sendable () -> Void)?) -> UIBackgroundTaskIdentifier {
        lock.withLock {
            last += 1
            let identifier = UIBackgroundTaskIdentifier(rawValue: last)
            running[identifier] = .some(handler)
            return identifier
        }
    }

    func end(_ identifier: UIBackgroundTaskIdentifier) {
        _ = lock.withLock { running.removeValue(forKey: identifier) }
    }
}

// The methods of the notification center. The signatures are those of Apple's documentation
// (developer.apple.com/documentation/usernotifications, 2026); the header of 2022 doesn't have
// @Sendable.
internal import Foundation

/// Stands in for Apple's options of the same name.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// Stands in for Apple's property of the same name.
    public let rawValue: UInt

    /// Stands in for Apple's initializer of the same name.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Stands in for Apple's property of the same name.
    public static var badge: UNAuthorizationOptions { UNAuthorizationOptions(rawValue: 1 << 0) }
    /// Stands in for Apple's property of the same name.
    public static var sound: UNAuthorizationOptions { UNAuthorizationOptions(rawValue: 1 << 1) }
    /// Stands in for Apple's property of the same name.
    public static var alert: UNAuthorizationOptions { UNAuthorizationOptions(rawValue: 1 << 2) }
}

extension UNNotificationPresentationOptions {
    /// Stands in for Apple's property of the same name.
    public static var badge: UNNotificationPresentationOptions {
        UNNotificationPresentationOptions(rawValue: 1 << 0)
    }
    /// Stands in for Apple's property of the same name.
    public static var sound: UNNotificationPresentationOptions {
        UNNotificationPresentationOptions(rawValue: 1 << 1)
    }
    /// Stands in for Apple's property of the same name.
    public static var list: UNNotificationPresentationOptions {
        UNNotificationPresentationOptions(rawValue: 1 << 3)
    }
    /// Stands in for Apple's property of the same name.
    public static var banner: UNNotificationPresentationOptions {
        UNNotificationPresentationOptions(rawValue: 1 << 4)
    }
}

extension UNUserNotificationCenter {
    /// Stands in for Apple's method of the same name.
    public class func current() -> UNUserNotificationCenter { TestNotificationCenter.current }

    /// Stands in for Apple's property of the same name, which is weak too.
    public var delegate: (any UNUserNotificationCenterDelegate)? {
        get { test?.state.withLock { $0.delegate } }
        set { test?.state.withLock { $0.delegate = newValue } }
    }

    /// Stands in for Apple's method of the same name.
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        test?.state.withLock { $0.requested = options }
        DispatchQueue.global().async { completionHandler(true, nil) }
    }

    /// Stands in for Apple's method of the same name.
    public func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        test?.list(completionHandler)
    }

    /// Stands in for Apple's method of the same name, which removes them later.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        test?.remove(identifiers)
    }

    /// Stands in for Apple's method of the same name, which executes the handler "after the update
    /// finishes".
    ///
    /// Unknown: the handler's thread, and whether a service extension may set the badge this way.
    /// Apple's page
    /// (documentation/usernotifications/unusernotificationcenter/setbadgecount(_:withcompletionhandler:))
    /// tells neither.
    @available(iOS 16, macOS 13, *)
    public func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        test?.setBadge(newBadgeCount, completionHandler)
    }

    /// Stands in for Apple's method of the same name, which replaces requests with the same
    /// identifier.
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        test?.state.withLock { state in
            state.delivered.removeAll { $0.request.identifier == request.identifier }
            state.delivered.append(UNNotification(date: Date(), request: request))
        }
        completionHandler?(nil)
    }

    private var test: TestNotificationCenter? { self as? TestNotificationCenter }
}

/// Not Apple's: the state of a notification center, for tests.
package final class TestNotificationCenter: UNUserNotificationCenter, @unchecked Sendable {
    package static let current = TestNotificationCenter()

    struct State {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        var requested: UNAuthorizationOptions?
        var delivered: [UNNotification] = []
        var removed: [String] = []
        var badge: Int?
        var categories: Set<UNNotificationCategory> = []
    }

    private let queue = DispatchQueue(label: "notification-center")
    let state = Locked(State())

    /// The permissions that the app has requested; `nil` without a request.
    package var requested: UNAuthorizationOptions? { state.withLock { $0.requested } }

    /// The identifiers of all notifications that were removed.
    package var removed: [String] { state.withLock { $0.removed } }

    /// The number on the app's icon.
    package var badge: Int? {
        get { state.withLock { $0.badge } }
        set { state.withLock { $0.badge = newValue } }
    }

    func remove(_ identifiers: [String]) {
        queue.asyncAfter(deadline: .now() + 0.02) { [self] in
            state.withLock { state in
                state.delivered.removeAll { identifiers.contains($0.request.identifier) }
                state.removed += identifiers
            }
        }
    }

    func setBadge(_ count: Int, _ handler: (@Sendable ((any Error)?) -> Void)?) {
        queue.asyncAfter(deadline: .now() + 0.02) { [self] in
            state.withLock { $0.badge = count }
            handler?(nil)
        }
    }

    func list(_ handler: @escaping @Sendable ([UNNotification]) -> Void) {
        // Behind earlier removals.
        queue.asyncAfter(deadline: .now() + 0.02) { [self] in handler(delivered) }
    }

    /// The categories that the app has declared.
    package var categories: Set<UNNotificationCategory> {
        get { state.withLock { $0.categories } }
        set { state.withLock { $0.categories = newValue } }
    }

    /// The displayed notifications.
    package var delivered: [UNNotification] {
        get { state.withLock { $0.delivered } }
        set { state.withLock { $0.delivered = newValue } }
    }
}

/// A value under a lock; the value itself isn't sendable.
final class Locked<Value> {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}

public import Foundation

/// Stands in for Apple's enumeration of the same name.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// Stands in for Apple's case of the same name.
    case newData
    /// Stands in for Apple's case of the same name.
    case noData
    /// Stands in for Apple's case of the same name.
    case failed
}

/// Stands in for Apple's protocol of the same name, all of whose methods are optional.
///
/// They are required here, so that a method of the example that is not spelled as Apple's is an
/// error.
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    /// Stands in for Apple's method of the same name.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// Stands in for Apple's method of the same name.
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)

    /// Stands in for Apple's method of the same name.
    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error)

    /// Stands in for Apple's method of the same name.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
}

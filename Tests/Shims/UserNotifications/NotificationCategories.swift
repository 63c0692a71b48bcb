// Categories and actions, which only Docs/Examples needs. The source is that of
// NotificationCenterOfTheApp.swift.
public import Foundation

/// Stands in for Apple's options of the same name.
public struct UNNotificationActionOptions: OptionSet {
    /// Stands in for Apple's property of the same name.
    public let rawValue: UInt

    /// Stands in for Apple's initializer of the same name.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Stands in for Apple's property of the same name.
    public static var authenticationRequired: UNNotificationActionOptions {
        UNNotificationActionOptions(rawValue: 1 << 0)
    }
}

/// Stands in for Apple's options of the same name.
public struct UNNotificationCategoryOptions: OptionSet {
    /// Stands in for Apple's property of the same name.
    public let rawValue: UInt

    /// Stands in for Apple's initializer of the same name.
    public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// Stands in for Apple's class of the same name.
open class UNNotificationAction: NSObject {
    /// Stands in for Apple's property of the same name.
    public let identifier: String
    /// Stands in for Apple's property of the same name.
    public let title: String
    /// Stands in for Apple's property of the same name.
    public let options: UNNotificationActionOptions

    fileprivate init(
        _ identifier: String, _ title: String, _ options: UNNotificationActionOptions
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }

    /// Stands in for Apple's initializer of the same name.
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = []
    ) {
        self.init(identifier, title, options)
    }
}

/// Stands in for Apple's class of the same name.
open class UNTextInputNotificationAction: UNNotificationAction {
    /// Stands in for Apple's initializer of the same name.
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        self.init(identifier, title, options)
    }
}

/// Stands in for Apple's class of the same name.
open class UNNotificationCategory: NSObject {
    /// Stands in for Apple's property of the same name.
    public let identifier: String
    /// Stands in for Apple's property of the same name.
    public let actions: [UNNotificationAction]

    private init(_ identifier: String, _ actions: [UNNotificationAction]) {
        self.identifier = identifier
        self.actions = actions
    }

    /// Stands in for Apple's initializer of the same name.
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(identifier, actions)
    }
}

/// Stands in for Apple's class of the same name; only the system creates its objects.
open class UNTextInputNotificationResponse: UNNotificationResponse {
    /// Stands in for Apple's property of the same name.
    public let userText: String

    /// Not Apple's: creates the object that the system would pass, for tests.
    package init(notification: UNNotification, actionIdentifier: String, userText: String) {
        self.userText = userText
        super.init(notification: notification, actionIdentifier: actionIdentifier)
    }
}

extension UNUserNotificationCenter {
    /// Stands in for Apple's method of the same name.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        (self as? TestNotificationCenter)?.categories = categories
    }
}

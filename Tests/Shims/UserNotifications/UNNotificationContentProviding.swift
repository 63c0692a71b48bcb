public import Foundation

/// Stands in for Apple's protocol of the same name.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// Not Apple's: an intent of a test.
package protocol TestContentProvider: UNNotificationContentProviding {
    /// Changes the content.
    func update(_ content: UNMutableNotificationContent) throws
}

public import Foundation

/// Stands in for Apple's protocol of the same name.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// Not Apple's: what stands in for an intent in a test, and says what it changes.
package protocol TestContentProvider: UNNotificationContentProviding {
    /// Changes the content.
    func update(_ content: UNMutableNotificationContent) throws
}

internal import Foundation

/// The values of content, for all of its classes.
struct ContentValues {
    var attachments: [UNNotificationAttachment] = []
    var badge: NSNumber?
    var body: String = ""
    var categoryIdentifier: String = ""
    var launchImageName: String = ""
    var sound: UNNotificationSound?
    var subtitle: String = ""
    var threadIdentifier: String = ""
    var title: String = ""
    var userInfo: [AnyHashable: Any] = [:]
    var targetContentIdentifier: String?
    var interruptionLevel: UNNotificationInterruptionLevel = .active
    var relevanceScore: Double = 0
    var filterCriteria: String?
}

public import Foundation

/// Stands in for Apple's class of the same name; only the system creates its objects.
open class PKPushPayload: NSObject {
    /// Stands in for Apple's property of the same name.
    public let type: PKPushType
    /// Stands in for Apple's property of the same name.
    public let dictionaryPayload: [AnyHashable: Any]

    /// Not Apple's: creates the object that the system would pass, for tests.
    package init(type: PKPushType, dictionaryPayload: [AnyHashable: Any]) {
        self.type = type
        self.dictionaryPayload = dictionaryPayload
    }
}

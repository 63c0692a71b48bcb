public import Foundation

/// Stands in for Apple's class of the same name, of which the system makes all objects.
open class PKPushPayload: NSObject {
    /// Stands in for Apple's property of the same name.
    public let type: PKPushType
    /// Stands in for Apple's property of the same name.
    public let dictionaryPayload: [AnyHashable: Any]

    /// Not Apple's: makes what the system would hand over, for tests.
    package init(type: PKPushType, dictionaryPayload: [AnyHashable: Any]) {
        self.type = type
        self.dictionaryPayload = dictionaryPayload
    }
}

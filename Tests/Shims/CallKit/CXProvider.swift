public import Foundation

/// Stands in for Apple's class of the same name.
open class CXProvider: NSObject {
    /// Stands in for Apple's method of the same name, and starts no call.
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        completion?(nil)
    }
}

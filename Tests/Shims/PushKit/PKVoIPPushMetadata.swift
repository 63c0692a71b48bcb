public import Foundation

/// Stands in for Apple's class of the same name; only the system creates its objects.
open class PKVoIPPushMetadata: NSObject {
    /// Stands in for Apple's property of the same name.
    public let mustReport: Bool

    /// Not Apple's: creates the object that the system would pass, for tests.
    package init(mustReport: Bool) { self.mustReport = mustReport }
}

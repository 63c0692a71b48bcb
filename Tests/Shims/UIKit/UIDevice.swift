public import Foundation

/// Stands in for Apple's class of the same name; the system creates its only object.
@MainActor open class UIDevice: NSObject {
    private static let one = UIDevice()

    private nonisolated override init() {}

    /// Stands in for Apple's property of the same name.
    public class var current: UIDevice { one }

    /// Stands in for Apple's property of the same name, which is `nil` until the first unlock.
    open var identifierForVendor: UUID? { vendor }

    /// Not Apple's: the value of a test.
    package var vendor: UUID?
}

public import Foundation

/// Stands in for Apple's class of the same name.
open class UNNotificationAttachment: NSObject {
    /// Stands in for Apple's property of the same name.
    open private(set) var identifier = ""
    /// Stands in for Apple's property of the same name.
    open private(set) var url = URL(fileURLWithPath: "/")
    /// Stands in for Apple's property of the same name.
    open private(set) var type = ""

    private override init() {}

    /// Takes a file, which must be there and of a kind that its extension tells.
    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard FileManager.default.isReadableFile(atPath: url.path), !url.pathExtension.isEmpty else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        self.init()
        self.identifier = identifier
        self.url = url
        type = url.pathExtension
    }
}

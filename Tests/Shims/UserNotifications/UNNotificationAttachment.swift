public import Foundation

/// Stands in for Apple's class of the same name.
open class UNNotificationAttachment: NSObject {
    /// Stands in for Apple's property of the same name.
    public let identifier: String
    /// Stands in for Apple's property of the same name.
    public let url: URL
    /// Stands in for Apple's property of the same name.
    public let type: String

    /// Not Apple's: the options, for tests.
    package private(set) var hidesThumbnail = false

    private init(_ identifier: String, _ url: URL, _ type: String) {
        self.identifier = identifier
        self.url = url
        self.type = type
    }

    /// Creates an attachment from an existing file of a supported type.
    ///
    /// The type comes from the options or else from the file's extension. The file isn't moved into
    /// the system's store, because Apple's class moves it only at delivery.
    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]?) throws {
        guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true,
            FileManager.default.isReadableFile(atPath: url.path)
        else { throw CocoaError(.fileReadNoSuchFile) }
        let type: String? =
            if let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] {
                (hint as? String).flatMap { Self.types.values.contains($0) ? $0 : nil }
            } else {
                Self.types[url.pathExtension.lowercased()]
            }
        guard let type else { throw CocoaError(.fileReadCorruptFile) }
        self.init(identifier, url, type)
        hidesThumbnail =
            options?[UNNotificationAttachmentOptionsThumbnailHiddenKey] as? Bool == true
    }

    /// The documented types, by file extension.
    private static let types = [
        "aif": "public.aiff-audio", "aiff": "public.aiff-audio",
        "wav": "com.microsoft.waveform-audio",
        "mp3": "public.mp3", "m4a": "public.mpeg-4-audio", "jpg": "public.jpeg",
        "jpeg": "public.jpeg",
        "gif": "com.compuserve.gif", "png": "public.png", "mpg": "public.mpeg",
        "mpeg": "public.mpeg",
        "m2v": "public.mpeg-2-video", "mp4": "public.mpeg-4", "avi": "public.avi",
    ]
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Stands in for Apple's constant of the same name.
public let UNNotificationAttachmentOptionsTypeHintKey: String =
    "UNNotificationAttachmentOptionsTypeHintKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Stands in for Apple's constant of the same name.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey: String =
    "UNNotificationAttachmentOptionsThumbnailHiddenKey"

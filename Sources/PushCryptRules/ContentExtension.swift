public import PushCryptCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the `Info.plist` of a notification content extension says
/// (https://developer.apple.com/documentation/usernotificationsui/customizing-the-appearance-of-notifications).
public struct ContentExtension: Sendable, Hashable {
    /// The categories that the extension opens for: `UNNotificationExtensionCategory`, a string or an array.
    public var categories: [String]

    /// The height of the extension's view by its width, before it has laid itself out:
    /// `UNNotificationExtensionInitialContentSizeRatio`.
    public var initialContentSizeRatio: Double?

    /// Whether the system's own view of title, subtitle and body is hidden:
    /// `UNNotificationExtensionDefaultContentHidden`.
    public var isDefaultContentHidden: Bool?

    /// Whether the extension's view can be touched: `UNNotificationExtensionUserInteractionEnabled`.
    public var isUserInteractionEnabled: Bool?

    /// Reads an `Info.plist`.
    ///
    /// - Parameter propertyList: the file's contents, XML in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedPropertyList` where it is no property list, or not that of a content
    ///   extension.
    public init(parsing propertyList: [UInt8]) throws(PushCryptError) {
        try Self.checkShape(propertyList)
        let info: Info
        do {
            info = try PropertyListDecoder().decode(Info.self, from: Data(propertyList))
        } catch let error as DecodingError {
            throw PushCryptError(.malformedPropertyList, Self.reason(error))
        } catch {
            throw PushCryptError(.malformedPropertyList, "The file is not a property list.")
        }
        guard info.extension.point == nil || info.extension.point == Self.point else {
            throw PushCryptError(
                .malformedPropertyList,
                "The Info.plist is that of another extension: NSExtensionPointIdentifier is not \(Self.point).")
        }
        let attributes = info.extension.attributes
        categories = attributes.categories.names
        initialContentSizeRatio = attributes.ratio
        isDefaultContentHidden = attributes.isHidden
        isUserInteractionEnabled = attributes.isInteractive
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameter propertyList: the file's contents, XML in UTF-8.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public init(parsing propertyList: some Collection<UInt8>) throws(PushCryptError) {
        try self.init(parsing: Array(propertyList))
    }

    /// Foundation's reader takes other formats too, and goes one call deeper for each `array`, `dict` or `plist` in
    /// another: a file that is nothing but those would end the process.
    ///
    /// The `Info.plist` of an extension has few.
    private static func checkShape(_ propertyList: [UInt8]) throws(PushCryptError) {
        let start = propertyList.firstIndex { $0 > 0x20 } ?? propertyList.endIndex
        guard propertyList[start...].first == UInt8(ascii: "<") || propertyList.starts(with: [0xEF, 0xBB, 0xBF, 0x3C]),
            !propertyList.contains(0)
        else {
            throw PushCryptError(
                .malformedPropertyList,
                "The file is not an XML property list in UTF-8. 'plutil -convert xml1' makes one of a binary one.")
        }
        let elements = zip(propertyList, propertyList.dropFirst()).count {
            $0 == UInt8(ascii: "<") && "adp".utf8.contains($1)
        }
        guard elements <= 256 else {
            throw PushCryptError(
                .malformedPropertyList, "The file has more arrays and dictionaries than the Info.plist of an extension."
            )
        }
    }

    private static let point = "com.apple.usernotifications.content-extension"

    private static func reason(_ error: DecodingError) -> String {
        let key: (any CodingKey)?
        let wrong: String
        switch error {
        case .keyNotFound(let missing, _): (key, wrong) = (missing, "is missing")
        case .valueNotFound(_, let context): (key, wrong) = (context.codingPath.last, "is empty")
        case .typeMismatch(_, let context): (key, wrong) = (context.codingPath.last, "is of another type than Apple's")
        default: (key, wrong) = (nil, "")
        }
        guard let key else { return "The file is not a property list." }
        return """
            The Info.plist is not that of a notification content extension: \(key.stringValue) \(wrong). It has \
            NSExtension, in it NSExtensionAttributes, and in these UNNotificationExtensionCategory.
            """
    }

    // MARK: The file's shape

    private struct Info: Decodable {
        let `extension`: Extension

        enum CodingKeys: String, CodingKey {
            case `extension` = "NSExtension"
        }
    }

    private struct Extension: Decodable {
        let point: String?
        let attributes: Attributes

        enum CodingKeys: String, CodingKey {
            case point = "NSExtensionPointIdentifier"
            case attributes = "NSExtensionAttributes"
        }
    }

    private struct Attributes: Decodable {
        let categories: Names
        let ratio: Double?
        let isHidden: Bool?
        let isInteractive: Bool?

        enum CodingKeys: String, CodingKey {
            case categories = "UNNotificationExtensionCategory"
            case ratio = "UNNotificationExtensionInitialContentSizeRatio"
            case isHidden = "UNNotificationExtensionDefaultContentHidden"
            case isInteractive = "UNNotificationExtensionUserInteractionEnabled"
        }
    }

    /// A string, or an array of strings.
    private struct Names: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }
    }
}

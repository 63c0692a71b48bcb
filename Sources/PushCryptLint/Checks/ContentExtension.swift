public import PushCryptCore
internal import PushCryptFoundation

/// The `Info.plist` of a notification content extension
/// (https://developer.apple.com/documentation/usernotificationsui/customizing-the-appearance-of-notifications).
public struct ContentExtension: Sendable, Hashable {
    /// The categories that open the extension: `UNNotificationExtensionCategory`, a string or an
    /// array.
    var categories: [String]

    /// The initial height of the extension's view, divided by its width:
    /// `UNNotificationExtensionInitialContentSizeRatio`.
    var initialContentSizeRatio: Double?

    /// A Boolean value that indicates whether the system hides title, subtitle and body:
    /// `UNNotificationExtensionDefaultContentHidden`.
    var isDefaultContentHidden: Bool?

    /// A Boolean value that indicates whether the extension's view receives touches:
    /// `UNNotificationExtensionUserInteractionEnabled`.
    var isUserInteractionEnabled: Bool?

    /// Parses an `Info.plist` in XML and UTF-8.
    ///
    /// - Throws: `PushCryptError` with `malformedPropertyList` if the bytes aren't the `Info.plist`
    ///   of a content extension.
    public init(parsing propertyList: some Collection<UInt8>) throws(PushCryptError) {
        let bytes = Array(propertyList)
        try Self.checkFormat(bytes)
        do {
            self = try PropertyListDecoder().decode(File.self, from: Data(bytes)).contents
        } catch {
            throw error as? PushCryptError
                ?? PushCryptError(.malformedPropertyList, Self.reason(error))
        }
    }

    private init(categories: [String]) { self.categories = categories }

    /// Rejects other formats than XML, and deep nesting, which Foundation follows until the stack
    /// ends.
    private static func checkFormat(_ bytes: [UInt8]) throws(PushCryptError) {
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        guard
            bytes[start...].first == UInt8(ascii: "<")
                || bytes.starts(with: [0xEF, 0xBB, 0xBF, 0x3C]),
            !bytes.contains(0)
        else {
            throw PushCryptError(
                .malformedPropertyList,
                """
                The file isn't an XML property list in UTF-8. Convert it with 'plutil -convert \
                xml1'.
                """)
        }
        let elements = zip(bytes, bytes.dropFirst()).count {
            $0 == UInt8(ascii: "<") && "adp".utf8.contains($1)
        }
        guard elements <= 256 else {
            throw PushCryptError(
                .malformedPropertyList,
                """
                The file has more than 256 arrays and dictionaries. Give the Info.plist of a \
                content extension.
                """)
        }
    }

    /// Returns the key that is wrong, and never a value.
    private static func reason(_ error: any Error) -> String {
        let problem: String
        switch error {
        case DecodingError.keyNotFound(let key, _): problem = "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            problem = "\(context.codingPath.last?.stringValue ?? "the root") has another type"
        default:
            return "The file isn't a property list. Give the Info.plist of a content extension."
        }
        return
            """
            The file isn't the Info.plist of a content extension: \(problem). Give the file of \
            that extension.
            """
    }

    /// The members of the file that matter here.
    private struct File: Decodable {
        var contents: ContentExtension

        enum Key: String, CodingKey {
            case content = "NSExtension"
            case point = "NSExtensionPointIdentifier"
            case attributes = "NSExtensionAttributes"
            case categories = "UNNotificationExtensionCategory"
            case ratio = "UNNotificationExtensionInitialContentSizeRatio"
            case isHidden = "UNNotificationExtensionDefaultContentHidden"
            case isInteractive = "UNNotificationExtensionUserInteractionEnabled"
        }

        init(from decoder: any Decoder) throws {
            let content = try decoder.container(keyedBy: Key.self).nestedContainer(
                keyedBy: Key.self, forKey: .content)
            let point = "com.apple.usernotifications.content-extension"
            guard try content.decodeIfPresent(String.self, forKey: .point) ?? point == point else {
                throw PushCryptError(
                    .malformedPropertyList,
                    """
                    The Info.plist belongs to another extension. \
                    Give the file with NSExtensionPointIdentifier \(point).
                    """)
            }
            let attributes = try content.nestedContainer(keyedBy: Key.self, forKey: .attributes)
            let category = try? attributes.decode(String.self, forKey: .categories)
            contents = ContentExtension(
                categories: try category.map { [$0] }
                    ?? attributes.decode([String].self, forKey: .categories))
            contents.initialContentSizeRatio = try attributes.decodeIfPresent(
                Double.self, forKey: .ratio)
            contents.isDefaultContentHidden = try attributes.decodeIfPresent(
                Bool.self, forKey: .isHidden)
            contents.isUserInteractionEnabled = try attributes.decodeIfPresent(
                Bool.self, forKey: .isInteractive)
        }
    }
}

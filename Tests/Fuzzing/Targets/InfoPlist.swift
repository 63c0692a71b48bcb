import Foundation

@testable import PushCryptCLI
@testable import PushCryptCore
@testable import PushCryptLint
@testable import PushCryptSender

/// Invariants of the property lists that `lint`, `xcode check` and `xcode write` read.
///
/// - The check and the merge accept a file without a failure, or reject it with an error.
/// - A merged list has each value, and merging it again changes nothing.
/// - A content extension's Info.plist has its categories.
enum InfoPlist {
    nonisolated(unsafe) private static let values: [String: Any] = [
        "PushCryptAppGroup": "group.com.example.app", "PushCryptServerKey": ["a", "b"],
        "UIBackgroundModes": ["remote-notification"], "aps-environment": "development",
        "com.apple.security.application-groups": ["group.com.example.app"],
        "NSExtension": [
            "NSExtensionPointIdentifier": XcodeCheck.extensionPoint,
            "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).NotificationService",
        ],
    ]

    /// The 15th of October 1582, from which all calendars of Foundation agree.
    private static let gregorianStart = Date(timeIntervalSince1970: -12_219_292_800)

    static func check(_ input: [UInt8]) {
        if let content = accepted({ () throws(PushCryptError) in
            try ContentExtension(parsing: input)
        }) {
            require(
                PropertyList(parsing: Data(input)).isValid || isNested(input),
                "a content extension is a list")
            require(
                !content.categories.contains { $0.utf8.count > input.count },
                "categories are from the file")
        }
        let list = PropertyList(parsing: Data(input))
        require(list.isValid || list.members.isEmpty, "a list that isn't valid has no members")
        let merge = PropertyListMerge(values: values)
        guard
            let once = accepted({ () throws(PushCryptError) in
                try merge.merged(into: Data(input), "Info.plist")
            })
        else { return }
        require(list.isValid, "only a valid list is merged")
        for name in values.keys { require(once[name] != nil, "a merged list has each value") }
        guard
            let written = try? PropertyListSerialization.data(
                fromPropertyList: once, format: .xml, options: 0),
            let twice = try? merge.merged(into: written, "Info.plist")
        else { return require(!isWritable(once), "a merged list is merged again") }
        require(description(twice) == description(once), "merging again changes nothing")
        checkOthers(once, Data(input))
    }

    /// Checks that the members of other tools stay, with their types.
    private static func checkOthers(_ merged: [String: Any], _ input: Data) {
        // One of Foundation's parsers on Linux removes a byte order mark from texts.
        guard !hasImpossibleMonth(input), !contains([0xEF, 0xBB, 0xBF], Array(input)) else {
            return
        }
        let list = try? PropertyListSerialization.propertyList(from: input, format: nil)
        for (name, value) in list as? [String: Any] ?? [:]
        where values[name] == nil && !InfoKey.all.contains(name) {
            require(
                merged[name].map(description) == description(value),
                "a member of the app stays: \(name)")
        }
    }

    /// Returns a Boolean value that indicates whether a date has a month outside of 01 to 12.
    ///
    /// Foundation's two parsers read it as different months.
    private static func hasImpossibleMonth(_ input: Data) -> Bool {
        String(decoding: input, as: UTF8.self).components(separatedBy: "<date>").dropFirst()
            .contains { text in
                let month = text.split(separator: "-").dropFirst().first.flatMap { Int($0) }
                return !(1...12).contains(month ?? 0)
            }
    }

    /// Returns a value with its types as text, because Foundation's equality ignores some of them.
    private static func description(_ value: Any) -> String {
        switch value {
        case let members as [String: Any]:
            let parts = members.map { "\($0.key)=\(description($0.value))" }.sorted()
            return "{\(parts.joined(separator: ","))}"
        case let elements as [Any]: return "[\(elements.map(description).joined(separator: ","))]"
        case let data as Data: return data.base64EncodedString()
        case let date as Date:
            // Foundation on Linux writes earlier dates in one calendar, and reads them in another.
            return date < gregorianStart ? "early date" : "date \(date.timeIntervalSince1970)"
        case let number as Int64:
            // Foundation's decoder reads a real number without a fraction as an integer.
            return "\(number)"
        default:
            let data = try? PropertyListSerialization.data(
                fromPropertyList: [value], format: .xml, options: 0)
            return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
        }
    }

    /// Returns a Boolean value that indicates whether a file has more tags than `xcode check`
    /// follows.
    private static func isNested(_ input: [UInt8]) -> Bool {
        input.count { $0 == UInt8(ascii: "<") } > 4096
    }

    /// Returns a Boolean value that indicates whether Foundation writes and reads a list.
    private static func isWritable(_ list: [String: Any]) -> Bool {
        guard
            let data = try? PropertyListSerialization.data(
                fromPropertyList: list, format: .xml, options: 0)
        else {
            return false
        }
        return (try? PropertyListSerialization.propertyList(from: data, format: nil)) != nil
    }
}

import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptLint

/// A payload in `Vectors/rules.json`, and the finding of one rule.
struct RuleVector: Decodable, CustomTestStringConvertible, Sendable {
    /// The ID of the rule, and the name of the example.
    let rule, name: String
    /// The push type as a header value.
    let type: String
    /// The JSON, with `FILL` for a number of bytes.
    let payload: String
    /// The location that breaks or keeps the rule.
    let location: String
    /// The JSON Pointer; `nil` for a header.
    let pointer: String?
    /// A Boolean value that indicates whether the payload breaks the rule, or almost breaks it.
    let breaks: Bool
    /// The detail of the finding.
    let detail: String?
    /// The other rules that the payload breaks.
    let also: [String]?
    /// A string table.
    let strings: [String: String]?
    /// The exposed keys.
    let expose: [String]?
    /// The categories of a content extension.
    let categories: [String]?
    /// The channel of a broadcast.
    let channel: String?
    /// The number of bytes for `FILL`.
    let fill: Int?

    var testDescription: String { "\(rule): \(name)" }

    /// The payload's bytes.
    var json: [UInt8] {
        Array(payload.replacing("FILL", with: String(repeating: "x", count: fill ?? 0)).utf8)
    }

    var pushType: PushType {
        get throws { try #require(PushType(rawValue: type)) }
    }

    var headers: APNsHeaders {
        get throws { APNsHeaders(try pushType, channelID: channel) }
    }

    /// A Boolean value that indicates whether an extension opens the push on one device.
    var isSealable: Bool { channel == nil && PushType.sealable.map(\.rawValue).contains(type) }

    var exposedKeys: Set<ExposedKey> { Set((expose ?? []).compactMap(ExposedKey.init)) }

    /// Returns a sealer that signs and exposes the keys of the vector.
    func sealer(ignoredRules: Set<Rule.ID> = []) throws -> Sealer {
        Sealer(
            .signed(by: try TestKeys.sender()), exposedKeys: exposedKeys, ignoredRules: ignoredRules
        )
    }

    /// Returns the findings of all rules.
    func lint() throws -> PayloadLint {
        let content = try categories.map { names in
            try ContentExtension(parsing: ContentExtensionFile(categories: names).xml)
        }
        return try PayloadLint(
            json: json, headers: headers,
            exposedKeys: exposedKeys, strings: strings.map { DictionaryStringTable($0) },
            contentExtension: content)
    }

    /// Returns all vectors, and fails if there are too few.
    static func all() throws -> [RuleVector] {
        struct File: Decodable { let vectors: [RuleVector] }
        let path =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Vectors/rules.json"
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let vectors = try JSONDecoder().decode(File.self, from: data).vectors
        try #require(
            vectors.count >= 250 && Set(vectors.map(\.testDescription)).count == vectors.count)
        return vectors
    }
}

/// The `Info.plist` of a content extension, written by hand.
struct ContentExtensionFile {
    var categories: [String] = []
    /// Other keys of `NSExtensionAttributes`, in XML.
    var attributes = ""
    var point: String? = "com.apple.usernotifications.content-extension"

    var xml: [UInt8] {
        let names = categories.map { "<string>\($0)</string>" }.joined()
        return Self.xml(
            """
            <key>NSExtension</key><dict>\
            \(point.map { "<key>NSExtensionPointIdentifier</key><string>\($0)</string>" } ?? "")\
            <key>NSExtensionAttributes</key><dict>\
            <key>UNNotificationExtensionCategory</key><array>\(names)</array>\(attributes)</dict></dict>
            """)
    }

    /// Returns a property list with these members.
    static func xml(_ members: String) -> [UInt8] {
        Array(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(members)</dict></plist>"
                .utf8)
    }
}

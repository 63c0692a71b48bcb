import Foundation
import PushCryptTesting
import Testing

/// A payload in `Vectors/rules.json`, and what one rule says of it.
struct RuleVector: Decodable, CustomTestStringConvertible, Sendable {
    /// The rule's id, and what the payload is an example of.
    let rule, name: String
    /// The push type, as APNs has it.
    let type: String
    /// The JSON; `FILL` in it stands for as many bytes as `fill` says.
    let payload: String
    /// Where the rule is broken, or would be.
    let location, pointer: String
    /// Whether it is broken there; otherwise the payload misses it by little.
    let breaks: Bool
    /// What the finding adds to the rule.
    let detail: String?
    /// All other rules that the payload breaks.
    let also: [String]?
    /// A string table.
    let strings: [String: String]?
    /// Keys to expose.
    let expose: [String]?
    /// Categories of a content extension.
    let categories: [String]?
    let fill: Int?

    var testDescription: String { "\(rule): \(name)" }

    /// The payload's bytes.
    var json: [UInt8] {
        Array(payload.replacing("FILL", with: String(repeating: "x", count: fill ?? 0)).utf8)
    }

    var pushType: PushType {
        get throws { try #require(PushType(rawValue: type)) }
    }

    var exposedKeys: Set<ExposedKey> { Set((expose ?? []).compactMap(ExposedKey.init)) }

    /// A sealer that signs, and exposes what the vector says.
    func sealer(ignoredRules: Set<Rule.ID> = []) throws -> Sealer {
        Sealer(.signed(by: try TestKeys.sender()), exposedKeys: exposedKeys, ignoredRules: ignoredRules)
    }

    /// What all rules say of the payload.
    func lint() throws -> PayloadLint {
        let content = try categories.map { names in
            try ContentExtension(parsing: ContentExtensionFile(categories: names).xml)
        }
        return try PayloadLint(
            json: json, headers: APNsHeaders(pushType),
            options: PayloadLint.Options(
                exposedKeys: exposedKeys, strings: strings.map { DictionaryStringTable($0) }, contentExtension: content)
        )
    }

    /// All vectors; none where the file cannot be read, which `RuleVectorTests` notices.
    static let all: [RuleVector] = {
        struct File: Decodable { let vectors: [RuleVector] }
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Vectors/rules.json"
        guard let data = FileManager.default.contents(atPath: path),
            let file = try? JSONDecoder().decode(File.self, from: data)
        else { return [] }
        return file.vectors
    }()
}

/// The `Info.plist` of a content extension, written by hand.
struct ContentExtensionFile {
    var categories: [String] = []
    /// More keys of `NSExtensionAttributes`, as XML.
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

    /// A property list whose outermost dictionary has these members.
    static func xml(_ members: String) -> [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(members)</dict></plist>".utf8)
    }
}

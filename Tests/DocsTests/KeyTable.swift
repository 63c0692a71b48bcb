import PushCryptTesting
import Testing

@testable import PushCryptLint
@testable import PushCryptReceiver

/// Apple's keys, and what the library does with each.
enum KeyTable {
    static func rows() throws -> [[String]] {
        try PayloadKey.allCases.map { key in
            [
                "`\(key.path.joined(separator: "."))`", kind(of: key), try exposure(of: key),
                try property(of: key).map { "`\($0)`" } ?? "–",
            ]
        }
    }

    private static func kind(of key: PayloadKey) -> String {
        let values =
            switch key {
            case .interruptionLevel: InterruptionLevel.allCases.map(\.rawValue)
            case .event: LiveActivityEvent.allCases.map(\.rawValue)
            default: [String]()
            }
        return values.isEmpty ? key.kind.rawValue : values.map { "`\($0)`" }.joined(separator: ", ")
    }

    /// A payload that has one key of Apple's.
    private static func original(_ key: PayloadKey) throws -> JSONValue {
        let value: JSONValue =
            switch key.kind {
            case .string, .stringOrDictionary: key == .interruptionLevel ? "passive" : "zq"
            case .strings: ["zq"]
            case .number: 0.5
            case .integer, .flag: 1
            case .dictionary: ["zq": 1]
            }
        let member: JSONValue = .object([key.rawValue: value])
        return ["aps": key.parent == .aps ? member : .object([key.path[1]: member])]
    }

    /// Returns a payload with the members that every sender requires of its push type.
    private static func sealable(_ payload: JSONValue, _ type: PushType) -> JSONValue {
        var aps = payload["aps"]?.objectValue ?? [:]
        switch type {
        case .alert: aps["alert"] = aps["alert"] ?? "a"
        case .background: aps["content-available"] = 1
        case .liveActivity:
            aps["content-state"] = aps["content-state"] ?? [:]
            if aps["attributes-type"] != nil { aps["attributes"] = [:] }
        default: break
        }
        return ["aps": .object(aps)]
    }

    // MARK: Readable keys

    /// Returns whether a key stays readable in a sealed payload.
    static func isReadable(_ key: PayloadKey, _ type: PushType, exposedKeys: Set<ExposedKey> = [])
        throws -> Bool
    {
        let push = try Sealer(
            .anonymous, exposedKeys: exposedKeys, ignoredRules: Set(Rule.all.map(\.id))
        )
        .prepare(json: JSONText.encoded(sealable(original(key), type)), headers: APNsHeaders(type))
        .seal(for: TestKeys.device().publicKey)
        let found = key.path.reduce(Optional(try JSONValue(parsing: push.payload))) { $0?[$1] }
        return found.map { $0["ENCRYPTED_DATA"] == nil } ?? false
    }

    private static func exposure(of key: PayloadKey) throws -> String {
        if key == .mutableContent { return "always" }
        // The placeholder is in the alert.
        if key == .alert || key.parent == .alert { return "–" }
        let keys = try ExposedKey.allCases.filter { try isReadable(key, .alert, exposedKeys: [$0]) }
        let names = try exposedNames()
        return keys.isEmpty
            ? "–"
            : try keys.map { "`.\(try #require(names[$0.rawValue]))`" }.joined(separator: ", ")
    }

    /// The constants of `ExposedKey` in the source, by the keys that they are.
    private static func exposedNames() throws -> [String: String] {
        let source = try Document("Sources/PushCryptPayload/ExposedKey.swift").text
        let constants = source.matches(of: /static let (\w+) = Self\("([a-z-]+)"\)/)
        return Dictionary(
            uniqueKeysWithValues: constants.map { (String($0.output.2), String($0.output.1)) })
    }

    // MARK: Properties of the notification

    private static let properties:
        [(name: String, value: @Sendable (NotificationContent) -> AnyHashable)] = [
            ("title", { $0.title }), ("subtitle", { $0.subtitle }), ("body", { $0.body }),
            ("badge", { $0.badge }),
            ("sound", { $0.sound }), ("threadIdentifier", { $0.threadIdentifier }),
            ("categoryIdentifier", { $0.categoryIdentifier }),
            ("targetContentIdentifier", { $0.targetContentIdentifier }),
            ("interruptionLevel", { $0.interruptionLevel }),
            ("relevanceScore", { $0.relevanceScore }),
            ("filterCriteria", { $0.filterCriteria }), ("launchImageName", { $0.launchImageName }),
        ]

    /// Returns the only property that a key sets.
    private static func property(of key: PayloadKey) throws -> String? {
        // Some keys have an effect only together with others.
        let aps: JSONValue? =
            switch key {
            case .titleLocArgs: ["alert": ["title-loc-key": "K", "title-loc-args": ["zq"]]]
            case .subtitleLocArgs:
                ["alert": ["subtitle-loc-key": "K", "subtitle-loc-args": ["zq"]]]
            case .locArgs: ["alert": ["loc-key": "K", "loc-args": ["zq"]]]
            case .volume: ["sound": ["critical": 1, "volume": 0.5]]
            default: try original(key)["aps"]
            }
        let content = NotificationContent(
            delivered: ["aps": try #require(aps)],
            strings: DictionaryStringTable(["K": "%@", "zq": "found"]))
        let changed = properties.filter { $0.value(content) != $0.value(NotificationContent()) }
        #expect(changed.count <= 1)
        return changed.first?.name
    }
}

import Foundation
import PushCryptTesting
import Testing

/// The page about payloads has every key and every rule, once, and no other.
@Suite struct PayloadsTests {
    private let page: Document
    private let keys: [[String]]
    private let exposed: [[String]]
    private let rules: [[String]]

    init() throws {
        page = try Document("Docs/Payloads.md")
        keys = page.table("key | in Swift | what it is | readable on the way | on the device")
        exposed = page.table("key | in Swift | what it tells those on the way | what the fallback loses without it")
        rules = page.table("rule | severity | what is wrong | how to fix it")
    }

    // MARK: Apple's keys

    @Test func theTableHasEveryKey() {
        #expect(keys.map(\.first?.quoted) == PayloadKey.allCases.map { $0.path.joined(separator: ".") })
        #expect(keys.allSatisfy { $0.count == 5 })
    }

    @Test func everyKeyIsTheNameOfAProperty() throws {
        // From the sources, because a payload's mirror shows nothing of it.
        func names(_ type: String, _ file: String) throws -> [String] {
            try Document("Sources/PushCryptPayload/\(file)").text.split(separator: "\n")
                .filter { $0.hasPrefix("        public var ") && !$0.hasSuffix("{") }
                .map { String($0.dropFirst(19).prefix { $0 != ":" }) }
                .filter { $0 != "other" }.map { "`\(type).\($0)`" }
        }
        let properties = try [
            names("Payload.APS", "APS.swift"), names("Payload.AlertText", "Alert.swift"),
            names("Payload.CriticalSound", "Sound.swift"),
        ]
        #expect(keys.map { $0[1] } == properties.flatMap(\.self))
    }

    @Test func everyKeyHasItsType() {
        for (row, key) in zip(keys, PayloadKey.allCases) {
            let kind = key.kind.rawValue
            #expect(row[2] == kind || [";", ":", ",", " "].contains { row[2].hasPrefix(kind + $0) }, "\(row[0])")
        }
        for level in InterruptionLevel.allCases {
            #expect(keys.contains { $0[0] == "`aps.interruption-level`" && $0[2].contains("`\(level.rawValue)`") })
        }
        for event in LiveActivityEvent.allCases {
            #expect(keys.contains { $0[0] == "`aps.event`" && $0[2].contains("`\(event.rawValue)`") })
        }
    }

    /// A payload that has one key of Apple's and nothing else.
    private func original(_ key: PayloadKey, _ value: JSONValue) throws -> [UInt8] {
        let member: JSONValue = .object([key.rawValue: value])
        return try Payload(aps: nil, custom: ["aps": key.parent == .aps ? member : [key.path[1]: member]]).json()
    }

    private static func value(_ key: PayloadKey) -> JSONValue {
        switch key.kind {
        case .string, .stringOrDictionary: key == .interruptionLevel ? "passive" : "zq"
        case .strings: ["zq"]
        case .number: 0.5
        case .integer, .flag: 1
        case .dictionary: ["zq": 1]
        }
    }

    @Test func whatIsReadableIsWhatThePageSays() throws {
        let everything = Set(Rule.all.map(\.id))
        for (row, key) in zip(keys, PayloadKey.allCases) {
            let json = try original(key, Self.value(key))
            func travels(_ type: PushType, exposedKeys: Set<ExposedKey> = []) throws -> Bool {
                let push = try Sealer(.anonymous, exposedKeys: exposedKeys, ignoredRules: everything)
                    .prepare(json: json, headers: APNsHeaders(type)).seal(for: TestKeys.device().publicKey)
                guard let member = try Self.find(key.path, JSONValue(parsing: push.payload)) else { return false }
                return member["ENCRYPTED_DATA"] == nil
            }
            let written: [PayloadKey: PushType] = [.contentAvailable: .background, .mutableContent: .alert]
            for type in [PushType.alert, .background, .voip] where key != .alert && key != .body {
                #expect(try travels(type) == (written[key] == type), "\(row[0]) in \(type)")
            }
            for type in [PushType.background, .voip] {
                let everyKey = Set(ExposedKey.allCases)
                #expect(try travels(type, exposedKeys: everyKey) == (written[key] == type), "\(row[0]) in \(type)")
            }
            let exposedKeys = ExposedKey.allCases.filter { row[3].contains("`.\($0)` exposes it") }
            for exposedKey in ExposedKey.allCases
            where key.parent != .alert && key != .alert && written[key] != .alert {
                #expect(
                    try travels(.alert, exposedKeys: [exposedKey]) == exposedKeys.contains(exposedKey),
                    "\(row[0]), exposedKeys \(exposedKey)")
            }
            // Not said of keys that mean nothing in a Live Activity.
            if row[3].contains("in Live Activities yes") { #expect(try travels(.liveActivity), "\(row[0])") }
            if row[3].contains("sealed by itself") { #expect(try !travels(.liveActivity), "\(row[0])") }
        }
    }

    private static func find(_ path: [String], _ value: JSONValue) throws -> JSONValue? {
        path.reduce(Optional(value)) { $0?[$1] }
    }

    @Test func everyKeySetsThePropertyThatThePageSays() throws {
        let properties: [(name: String, value: (NotificationContent) -> AnyHashable)] = [
            ("title", { $0.title }), ("subtitle", { $0.subtitle }), ("body", { $0.body }), ("badge", { $0.badge }),
            ("sound", { $0.sound }), ("threadIdentifier", { $0.threadIdentifier }),
            ("categoryIdentifier", { $0.categoryIdentifier }),
            ("targetContentIdentifier", { $0.targetContentIdentifier }),
            ("interruptionLevel", { $0.interruptionLevel }), ("relevanceScore", { $0.relevanceScore }),
            ("filterCriteria", { $0.filterCriteria }), ("launchImageName", { $0.launchImageName }),
        ]
        // Keys that mean something together with others only.
        let with: [PayloadKey: JSONValue] = [
            .titleLocArgs: ["alert": ["title-loc-key": "K", "title-loc-args": ["zq"]]],
            .subtitleLocArgs: ["alert": ["subtitle-loc-key": "K", "subtitle-loc-args": ["zq"]]],
            .locArgs: ["alert": ["loc-key": "K", "loc-args": ["zq"]]],
            .volume: ["sound": ["critical": 1, "volume": 0.5]],
        ]
        let strings = DictionaryStringTable(["K": "%@", "zq": "found"])
        for (row, key) in zip(keys, PayloadKey.allCases) {
            let members =
                try with[key].map { ["aps": $0] } ?? JSONValue(parsing: original(key, Self.value(key))).objectValue
                ?? [:]
            let content = NotificationContent(delivered: members, strings: strings)
            let empty = NotificationContent()
            let changed = properties.filter { $0.value(content) != $0.value(empty) }.map(\.name)
            let said = properties.map(\.name).contains(row[4].quoted ?? "") ? [row[4].quoted] : []
            #expect(changed == said, "\(row[0])")
        }
    }

    // MARK: What can be exposed

    @Test func theTableHasEveryKeyThatCanBeExposed() throws {
        #expect(exposed.map(\.first?.quoted) == ExposedKey.allCases.map(\.rawValue))
        #expect(exposed.map { $0[1] } == ExposedKey.allCases.map { "`.\($0)`" })
        #expect(exposed.allSatisfy { $0.count == 4 })
        let comments = try Document("Sources/PushCryptRules/ExposedKey.swift").text
            .split(separator: "\n").map { $0.drop { $0 == " " || $0 == "/" } }.joined(separator: " ")
            .replacing("``", with: "`")
        for row in exposed {
            #expect(comments.contains("It reveals \(row[2]). Without it \(row[3])."), "\(row[0])")
        }
    }

    // MARK: Rules

    @Test func theTableHasEverySeverity() throws {
        let rows = page.table("severity | what it means")
        #expect(rows.map(\.first) == Rule.Severity.allCases.map(\.rawValue))
        let source = try Document("Sources/PushCryptRules/Rule.swift").text.lowercased()
        for row in rows { #expect(source.contains("/// \(row[1].lowercased()).")) }
    }

    @Test func theTableHasEveryRule() {
        #expect(
            rules == Rule.all.map { ["`\($0.id)`", $0.severity.rawValue, $0.message, $0.fix] })
    }

    // MARK: Code

    @Test func theCodeIsTheCodeThatIsCompiled() throws {
        #expect(try page.blocks("swift") == Document.snippets("PayloadsSnippet"))
    }

    @Test func theCodeDoesWhatThePageSays() throws {
        let device = try TestKeys.device()
        let key = try TestKeys.sender()
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [key.publicKey]))
        let presenter = PayloadsSnippet.localized(opener)
        #expect(presenter.fallback == .standard, "The bundle of the tests has no strings.")

        let sealer = PayloadsSnippet.exposedKeys(key)
        let push = try PayloadsSnippet.typed(sealer, device.publicKey)
        let visible = try #require(try JSONValue(parsing: push.payload)["aps"])
        #expect(
            visible == [
                "alert": ["title": "Example Bank", "loc-key": "NEW_MESSAGE"], "mutable-content": 1,
                "category": "PAYMENT", "sound": "default",
            ])
        let shown = presenter.present(try DeliveredNotification(json: push.payload)).content
        #expect(shown.title == "Card payment" && shown.relevanceScore == 0.8)

        let types = try PayloadsSnippet.types("Anne", ["minutes": 12])
        #expect(types.map(\.aps?.contentAvailable) == [1, nil, nil])
        #expect(types[1].custom == ["caller": "Anne"])
        #expect(types[2].aps?.contentState == ["minutes": 12])
        let headers = try PayloadsSnippet.headers(key, device.publicKey)
        #expect(headers.collapseID?.utf8.count == 32 && headers.topic == "com.example.app")

        let strings = try PayloadsSnippet.table(Array(#""K" = "%@ and %@"; "NEW_MESSAGE" = "New message";"#.utf8))
        #expect(strings.string(forKey: "K") == "%@ and %@")
        var lines: [String] = []
        try PayloadsSnippet.review(
            sealer, Array(#"{"aps":{"alert":{"loc-key":"K","loc-args":["a"]}}}"#.utf8), strings
        ) { lines.append($0) }
        #expect(lines.count == 1 && lines[0].hasPrefix("error: aps.alert.loc-args: The string in the"))
    }

    @Test func theCodeForSizesDoesWhatThePageSays() throws {
        let device = try TestKeys.device()
        let key = try TestKeys.sender()
        let long = Array(#"{"aps":{"alert":{"title":"t","body":"\#(String(repeating: "x", count: 3000))"}}}"#.utf8)
        var lines: [String] = []
        try PayloadsSnippet.budget(Sealer(.signed(by: key)), long) { lines.append($0) }
        let excess = long.count - 2856
        #expect(page.text.contains("an original of 2856 bytes"))
        #expect(lines == ["\(excess) bytes too many; aps.alert.body alone takes 3009"])

        lines = []
        let push = try PayloadsSnippet.truncatableFields(key, long, device.publicKey) { lines.append($0) }
        // The ellipsis takes three bytes.
        #expect(lines == ["The body has lost \(excess + 3) characters, \(3000 - excess - 3) are left."])
        #expect(push.payload.count <= 4096)
    }

    @Test func theCodeForLiveActivitiesDoesWhatThePageSays() throws {
        let device = try TestKeys.device()
        let push = try PayloadsSnippet.liveActivity(Sealer(.anonymous), device.publicKey)
        let aps = try #require(try JSONValue(parsing: push.payload)["aps"])
        #expect(aps["event"] == "update" && aps["alert"] == ["title": ["loc-key": "ORDER_CHANGED"]])
        #expect(aps["content-state"]?.objectValue?.keys.map(\.self) == ["ENCRYPTED_DATA"])
        let opened = try Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone).open(
            liveActivity: push.payload)
        #expect(try JSONValue(parsing: opened)["aps"]?["content-state"] == ["courier": "Anne", "minutes": 12])
    }

    // MARK: The tool

    @Test func theConsoleShowsWhatHappens() throws {
        let block = try #require(page.blocks("console").first)
        let lines = block.split(separator: "\n").map(String.init)
        #expect(page.blocks("console").count == 1)
        #expect(lines[0] == "$ cat payload.json" && lines[2] == "$ pushcrypt lint payload.json")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pushcrypt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(lines[1].utf8).write(to: folder.appendingPathComponent("payload.json"))
        let run = try Shell.run(String(lines[2].dropFirst(2)), in: folder)
        #expect(run.output.split(separator: "\n").map(String.init) == Array(lines.dropFirst(3)))
        #expect(run.status == 65)
    }
}

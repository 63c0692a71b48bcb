import Foundation
import PushCryptApple
import PushCryptLint
import PushCryptTesting
import Testing

/// The code of the page about payloads, and what it says of Apple's keys.
@Suite struct PayloadsTests {
    private let recipient: RecipientPrivateKey
    private let signingKey: SigningKey
    private var device: RecipientPublicKey { recipient.publicKey }
    private var opener: Opener {
        Opener(
            keys: InMemoryKeyStore([recipient]), senderPolicy: .signed(by: [signingKey.publicKey]))
    }

    init() throws {
        recipient = try TestKeys.device()
        signingKey = try TestKeys.sender()
    }

    // MARK: Apple's keys

    @Test("Only the keys that the page names stay readable", arguments: PayloadKey.allCases)
    func keysAreSealed(key: PayloadKey) throws {
        let everyKey = Set(ExposedKey.allCases)
        // The sealer accepts no alert, badge or sound in the background.
        let isBackground = !["alert", "badge", "sound"].contains(key.path[1])
        for type in [PushType.alert, .background, .voip] where key != .alert && key.parent != .alert
        {
            guard type != .background || isBackground else { continue }
            let isWritten =
                (key, type) == (.contentAvailable, .background)
                || (key, type) == (.mutableContent, .alert)
            #expect(try KeyTable.isReadable(key, type) == isWritten, "\(type)")
            guard type != .alert else { continue }
            #expect(
                try KeyTable.isReadable(key, type, exposedKeys: everyKey) == isWritten, "\(type)")
        }
        if key == .alert || key.parent == .alert {
            #expect(try !KeyTable.isReadable(key, .voip, exposedKeys: everyKey))
        }
        // The placeholder, which has a body, replaces the alert of a Live Activity.
        let isSealed = key == .contentState || key == .attributes
        let isReplaced = key.parent == .alert && key != .body
        #expect(try KeyTable.isReadable(key, .liveActivity) == (!isSealed && !isReplaced))
        let isReadable = try KeyTable.isReadable(key, .liveActivity, exposedKeys: [.alert])
        #expect(isReadable != isSealed)
    }

    @Test("Payload has a property for each key")
    func everyKeyHasAProperty() throws {
        // From the sources, because a payload's mirror is empty.
        func names(_ file: String) throws -> [String] {
            try Document("Sources/PushCryptPayload/\(file).swift").text
                .matches(of: /\n        public var (\w+): [^{\n]*\n/).map { String($0.output.1) }
                .filter {
                    $0 != "other"
                }
        }
        let properties = try names("APS") + names("Alert") + names("Sound")
        let keys = try Document("Sources/PushCryptPayload/PayloadKey.swift").text
            .matches(of: /\n    case (\w+)/).map { String($0.output.1) }
        #expect(properties == keys && keys.count == PayloadKey.allCases.count)
    }

    // MARK: Code

    @Test("A typed payload arrives, and only the exposed keys are readable")
    func typedPayloadArrives() throws {
        let sealer = Sealer(
            .signed(by: signingKey),
            placeholder: Placeholder(title: "Example Bank", body: .localized(key: "NEW_MESSAGE")),
            exposedKeys: [.category, .sound])
        var payload = Payload(
            title: "Card payment", body: "You paid 12.50 € in Berlin.", badge: 3, sound: .standard,
            category: "PAYMENT",
            threadID: "card-1", custom: ["link": "app://cards/1", "items": [1, 2]])
        payload.aps?.relevanceScore = 0.8
        let push = try sealer.seal(
            payload, for: device, headers: APNsHeaders(topic: "com.example.app"))
        let visible = try #require(try JSONValue(parsing: push.payload)["aps"])
        #expect(
            visible == [
                "alert": ["title": "Example Bank", "loc-key": "NEW_MESSAGE"], "mutable-content": 1,
                "category": "PAYMENT", "sound": "default",
            ])
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([recipient]), senderPolicy: .signed(by: [signingKey.publicKey]))
        configuration.strings = BundleStringTable.containingApp
        configuration.fallback = FallbackText(
            key: "NEW_MESSAGE", in: BundleStringTable.containingApp)
        #expect(
            configuration.fallback == .standard, "The bundle of the tests doesn't have strings.")
        let content = PushInbox(configuration).open(try DeliveredNotification(json: push.payload))
            .content
        #expect(content.title == "Card payment" && content.relevanceScore == 0.8)
    }

    @Test("Each push type has its payload")
    func everyTypeHasItsPayload() throws {
        let (caller, delivery) = ("Anne", ["minutes": 12])
        let wake = Payload.background(custom: ["sync": "orders"])
        let call = Payload.voip(custom: ["caller": .string(caller)])
        let update = try Payload.liveActivity(
            .update, at: Date(), contentState: JSONValue(encoding: delivery).objectValue)
        #expect([wake, call, update].map(\.aps?.contentAvailable) == [1, nil, nil])
        #expect(call.custom == ["caller": "Anne"])
        #expect(update.aps?.contentState == ["minutes": 12])
    }

    @Test("A withdrawal is sealed as its own kind")
    func withdrawalIsSealed() throws {
        let sealer = Sealer(.signed(by: signingKey))
        let read = try sealer.seal(Withdrawal(collapseIDs: ["message-4711"]), for: device)
        let push = try opener.open(json: read.payload, as: [.withdrawal])
        #expect(push.data == Data(#"{"collapse-ids":["message-4711"]}"#.utf8))
    }

    @Test("An opaque collapse id reveals nothing")
    func collapseIDIsOpaque() throws {
        let idKey = signingKey
        let ids = try OpaqueIDs(keyedBy: idKey)
        let headers = APNsHeaders(
            collapseID: try ids.collapseID(for: "chat-with-anna", to: device),
            topic: "com.example.app")
        #expect(
            headers.collapseID?.utf8.count == 32 && headers.collapseID?.contains("anna") == false)
    }

    @Test("The budget names the largest member, and a long text is truncated to fit")
    func longPayloadIsTruncated() throws {
        let json = Array(
            #"{"aps":{"alert":{"title":"t","body":"\#(String(repeating: "x", count: 3000))"}}}"#
                .utf8)
        let excess = json.count - 2851
        #expect(try Document("Docs/Payloads.md").text.contains("an original of 2851 bytes"))
        var lines: [String] = []
        func log(_ line: String) { lines.append(line) }
        func logBudget(_ sealer: Sealer) throws {
            let budget = try sealer.budget(json: json)
            if budget.remaining < 0, let largest = budget.members.first {
                log(
                    "\(-budget.remaining) bytes too many; \(largest.location) alone takes \(largest.bytes)"
                )
            }
        }
        try logBudget(Sealer(.signed(by: signingKey)))
        let sealer = Sealer(.signed(by: signingKey), truncatableFields: [.body, .title])
        let push = try sealer.seal(json: json, for: device)
        for truncation in push.truncations {
            log("The \(truncation.field) lost \(truncation.removedCharacters) characters.")
        }
        let shortLived = Sealer(.signed(by: signingKey), lifetime: 300)
        #expect(shortLived.lifetime == 300)
        // The ellipsis takes three bytes.
        #expect(
            lines == [
                "\(excess) bytes too many; aps.alert.body alone takes 3009",
                "The body lost \(excess + 3) characters.",
            ])
        #expect(push.payload.count <= 4096)
    }

    @Test("lint finds a missing argument")
    func lintFindsAMissingArgument() throws {
        let (sealer, strings) = (Sealer(.anonymous), DictionaryStringTable(["K": "%@ and %@"]))
        let json = Array(#"{"aps":{"alert":{"loc-key":"K","loc-args":["a"]}}}"#.utf8)
        var lines: [String] = []
        func log(_ line: String) { lines.append(line) }
        let lint = try sealer.lint(json: json, headers: APNsHeaders(.alert), strings: strings)
        for finding in lint.findings {
            log("\(finding.rule.severity): \(finding.message) \(finding.fix)")
        }
        #expect(lines.count == 1 && lines.first?.hasPrefix("error: aps.alert.loc-args: ") == true)
    }

    @Test("The state of a Live Activity is sealed, and its alert becomes the placeholder")
    func liveActivityStateIsSealed() throws {
        let sealer = Sealer(.signed(by: signingKey))
        let json = """
            {"aps":{"timestamp":1767225600,"event":"update",\
            "content-state":{"courier":"Anne","minutes":12},\
            "alert":{"title":{"loc-key":"ORDER_CHANGED"}}}}
            """
        let push = try sealer.seal(
            json: json.utf8, for: device,
            headers: APNsHeaders(.liveActivity, topic: "com.example.app.push-type.liveactivity"))
        let aps = try #require(try JSONValue(parsing: push.payload)["aps"])
        #expect(aps["event"] == "update" && aps["alert"] == ["body": "(Encrypted)"])
        #expect(aps["content-state"]?.objectValue?.keys.map(\.self) == ["ENCRYPTED_DATA"])
        let opened = try opener.open(liveActivity: push.payload)
        #expect(
            try JSONValue(parsing: opened)["aps"]?["content-state"] == [
                "courier": "Anne", "minutes": 12,
            ])
    }
}

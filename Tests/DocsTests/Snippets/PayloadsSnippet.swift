// Docs/Payloads.md: compiled here, run by PayloadsTests, and the same there.
import Foundation
import PushCryptApple
import PushCryptSender

enum PayloadsSnippet {
    static func typed(_ sealer: Sealer, _ device: RecipientPublicKey) throws -> SealedPush {
        // begin
        var payload = Payload(
            title: "Card payment", body: "You paid 12.50 € in Berlin.", badge: 3, sound: .standard, category: "PAYMENT",
            threadID: "card-1", custom: ["link": "app://cards/1", "items": [1, 2]])
        payload.aps?.relevanceScore = 0.8
        let push = try sealer.seal(payload, for: device, headers: APNsHeaders(topic: "com.example.app"))
        // end
        return push
    }

    static func types(_ caller: String, _ delivery: some Encodable) throws -> [Payload] {
        // begin
        let wake = Payload.background(custom: ["sync": "orders"])
        let call = Payload.voip(custom: ["caller": .string(caller)])
        let update = try Payload.liveActivity(
            .update, at: Date(), contentState: JSONValue(encoding: delivery).objectValue)
        // end
        return [wake, call, update]
    }

    static func exposedKeys(_ signingKey: SigningKey) -> Sealer {
        // begin
        let sealer = Sealer(
            .signed(by: signingKey),
            placeholder: Placeholder(title: "Example Bank", body: .localized(key: "NEW_MESSAGE")),
            exposedKeys: [.category, .sound])
        // end
        return sealer
    }

    static func headers(_ idKey: SigningKey, _ device: RecipientPublicKey) throws -> APNsHeaders {
        // begin
        let ids = try OpaqueIDs(keyedBy: idKey)
        let headers = APNsHeaders(
            collapseID: try ids.collapseID(for: "chat-with-anna", to: device), topic: "com.example.app")
        // end
        return headers
    }

    static func budget(_ sealer: Sealer, _ json: [UInt8], log: (String) -> Void) throws {
        // begin
        let budget = try sealer.budget(json: json)
        if budget.remaining < 0, let largest = budget.members.first {
            log("\(-budget.remaining) bytes too many; \(largest.place) alone takes \(largest.bytes)")
        }
        // end
    }

    static func truncatableFields(
        _ signingKey: SigningKey, _ json: [UInt8], _ device: RecipientPublicKey, log: (String) -> Void
    ) throws -> SealedPush {
        // begin
        let sealer = Sealer(.signed(by: signingKey), truncatableFields: [.body, .title])
        let push = try sealer.seal(json: json, for: device)
        for cut in push.cuts {
            log("The \(cut.field) has lost \(cut.removedCharacters) characters, \(cut.keptCharacters) are left.")
        }
        // end
        return push
    }

    static func localized(_ opener: Opener) -> NotificationOpener {
        // begin
        let strings = BundleStringTable.containingApp
        let presenter = NotificationOpener(
            opener, fallback: FallbackText(key: "NEW_MESSAGE", in: strings), strings: strings)
        // end
        return presenter
    }

    static func table(_ stringsFile: [UInt8]) throws -> DictionaryStringTable {
        // begin
        let strings = try DictionaryStringTable(parsing: stringsFile)
        // end
        return strings
    }

    static func review(
        _ sealer: Sealer, _ json: [UInt8], _ strings: DictionaryStringTable, log: (String) -> Void
    ) throws {
        // begin
        let lint = try sealer.lint(json: json, headers: APNsHeaders(.alert), strings: strings)
        for finding in lint.findings {
            log("\(finding.rule.severity): \(finding.message) \(finding.fix)")
        }
        // end
    }

    static func liveActivity(_ sealer: Sealer, _ device: RecipientPublicKey) throws -> SealedPush {
        // begin
        let json = """
            {"aps":{"timestamp":1767225600,"event":"update",\
            "content-state":{"courier":"Anne","minutes":12},\
            "alert":{"title":{"loc-key":"ORDER_CHANGED"}}}}
            """
        let push = try sealer.seal(
            json: json.utf8, for: device,
            headers: APNsHeaders(.liveActivity, topic: "com.example.app.push-type.liveactivity"))
        // end
        return push
    }
}

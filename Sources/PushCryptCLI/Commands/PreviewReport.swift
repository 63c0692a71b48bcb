internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptReceiver

/// The fields of a notification as JSON, by the property names of `UNNotificationContent`.
enum PreviewReport {
    /// One object: what is set, and how it came to it.
    static func json(_ shown: NotificationResult, delivered: [UInt8]) throws(PushCryptError) -> String {
        let content = shown.content
        var members: [String: JSONValue] = [
            "title": .string(content.title), "subtitle": .string(content.subtitle), "body": .string(content.body),
        ]
        switch shown.outcome {
        case .opened: members["outcome"] = .string("opened")
        case .plaintext: members["outcome"] = .string("plaintext")
        case .fallback(let error):
            members["outcome"] = .string("fallback")
            members["reason"] = .string(error.code.rawValue)
        }
        members["badge"] = content.badge.map { .number(JSONNumber($0)) }
        members["sound"] = content.sound.map(value)
        members["threadIdentifier"] = nonEmpty(content.threadIdentifier)
        members["categoryIdentifier"] = nonEmpty(content.categoryIdentifier)
        members["targetContentIdentifier"] = content.targetContentIdentifier.map { .string($0) }
        members["filterCriteria"] = content.filterCriteria.map { .string($0) }
        members["launchImageName"] = nonEmpty(content.launchImageName)
        if content.interruptionLevel != .active {
            members["interruptionLevel"] = .string(content.interruptionLevel.rawValue)
        }
        if content.relevanceScore != 0 { members["relevanceScore"] = .number(JSONNumber(content.relevanceScore)) }
        switch content.userInfo {
        case .asDelivered: members["userInfo"] = try? JSONValue(forDisplay: delivered)
        case .original(let original): members["userInfo"] = .object(original)
        }
        return try JSONText.pretty(.object(members))
    }

    private static func nonEmpty(_ text: String) -> JSONValue? {
        text.isEmpty ? nil : .string(text)
    }

    private static func value(_ sound: NotificationSound) -> JSONValue {
        switch sound {
        case .standard: .string("default")
        case .named(let name): .string(name)
        case .standardCritical(let volume): critical("default", volume)
        case .criticalNamed(let name, let volume): critical(name, volume)
        }
    }

    private static func critical(_ name: String, _ volume: Double?) -> JSONValue {
        var members: [String: JSONValue] = ["critical": 1, "name": .string(name)]
        members["volume"] = volume.map { .number(JSONNumber($0)) }
        return .object(members)
    }
}

extension JSONText {
    /// JSON for people and programs: indented, members in alphabetical order.
    static func pretty(_ value: JSONValue) throws(PushCryptError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return SafeText.json(String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            throw PushCryptError(.malformedJSON, "A value cannot be written as JSON.")
        }
    }
}

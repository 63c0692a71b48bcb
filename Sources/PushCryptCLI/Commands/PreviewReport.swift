internal import Foundation
internal import PushCryptReceiver

/// A notification as JSON, with the property names of `UNNotificationContent`.
enum PreviewReport {
    static func json(
        _ shown: Presented, delivered: [UInt8], attachment: Result<String, PushCryptError>?
    ) -> String {
        let content = shown.content
        var members: [String: JSONValue] = [
            "title": .string(content.title), "subtitle": .string(content.subtitle),
            "body": .string(content.body),
        ]
        let failure = shown.outcome.failure
        members["outcome"] = .string(shown.outcome.kind.rawValue)
        members["reason"] = failure.map { .string($0.code.rawValue) }
        members["badge"] = content.badge.map { .number(JSONNumber($0)) }
        members["sound"] = content.sound.map(value)
        for (name, text) in [
            ("threadIdentifier", content.threadIdentifier),
            ("categoryIdentifier", content.categoryIdentifier),
            ("launchImageName", content.launchImageName),
        ] where !text.isEmpty {
            members[name] = .string(text)
        }
        members["targetContentIdentifier"] = content.targetContentIdentifier.map { .string($0) }
        members["filterCriteria"] = content.filterCriteria.map { .string($0) }
        if content.interruptionLevel != .active {
            members["interruptionLevel"] = .string(content.interruptionLevel.rawValue)
        }
        if content.relevanceScore != 0 {
            members["relevanceScore"] = limited(content.relevanceScore)
        }
        if case .success(let path) = attachment { members["attachments"] = .array([.string(path)]) }
        if case .failure(let error) = attachment {
            members["attachmentProblem"] = .string(error.code.rawValue)
        }
        members["userInfo"] =
            content.originalPayload.map { .object($0) } ?? (try? JSONValue(forDisplay: delivered))
        return JSONText.pretty(.object(members))
    }

    private static func value(_ sound: NotificationSound) -> JSONValue {
        let name = JSONValue.string(sound.name ?? "default")
        guard sound.isCritical else { return name }
        var members: [String: JSONValue] = ["critical": 1, "name": name]
        members["volume"] = sound.volume.map { limited($0) }
        return .object(members)
    }
    /// Returns a number within the range to which the system limits it.
    private static func limited(_ value: Double) -> JSONValue {
        .number(JSONNumber(min(max(value, 0), 1)))
    }
}

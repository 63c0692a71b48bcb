internal import PushCryptCore
internal import PushCryptPayload

extension CarrierRequest {
    /// Returns a notification of OneSignal
    /// (https://documentation.onesignal.com/reference/push-notification).
    static func oneSignal(
        _ content: CarrierContent, _ token: String, appID: String?
    ) throws(PushCryptError) -> CarrierRequest {
        guard let appID, !appID.isEmpty else {
            throw PushCryptError(.missingValue, "OneSignal requires the app's ID. Give it.")
        }
        var body = JSONObjectText()
        body.append("app_id", appID)
        body.append("include_subscription_ids", json: JSONObjectText.array(of: [token]))
        body.append("target_channel", "push")
        // OneSignal requires English, and shows it in every language without its own text.
        for (name, line) in [("contents", "body"), ("headings", "title"), ("subtitle", "subtitle")]
        {
            guard let text = content.alert(line) else { continue }
            var languages = JSONObjectText()
            languages.append("en", json: text)
            body.append(name, languages)
        }
        if content.aps("mutable-content") != nil { body.append(true: "mutable_content") }
        if content.aps("content-available") != nil { body.append(true: "content_available") }
        appendExposedValues(of: content, to: &body)
        body.append("data", content.data)
        // OneSignal keeps a notification for four weeks at most.
        if let seconds = content.secondsToLive(atMost: 28 * 24 * 3600) {
            body.append("ttl", seconds)
        }
        body.append("priority", content.headers.priority.rawValue)
        if let id = content.headers.collapseID { body.append("collapse_id", id) }
        return CarrierRequest(body)
    }

    private static func appendExposedValues(
        of content: CarrierContent, to body: inout JSONObjectText
    ) {
        if let badge = content.aps("badge") {
            body.append("ios_badgeType", "SetTo")
            body.append("ios_badgeCount", json: badge)
        }
        // OneSignal writes this value with an underscore.
        if let level = content.text("interruption-level") {
            body.append(
                "ios_interruption_level", level == "time-sensitive" ? "time_sensitive" : level)
        }
        for (name, key) in [
            ("ios_sound", "sound"), ("ios_category", "category"), ("thread_id", "thread-id"),
            ("ios_relevance_score", "relevance-score"),
            ("target_content_identifier", "target-content-id"),
        ] {
            if let value = content.aps(key) { body.append(name, json: value) }
        }
    }
}

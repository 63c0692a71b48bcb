internal import PushCryptCore
internal import PushCryptPayload

extension NotificationContent {
    /// Creates the content that the system derives from a payload.
    init(delivered payload: [String: JSONValue], strings: (any StringTable)? = nil) {
        self.init()
        set(payload["aps"], strings)
    }

    /// Returns the content of an original payload, without the properties that the original doesn't
    /// have.
    ///
    /// - Parameters:
    ///   - payload: The original payload.
    ///   - strings: The app's localized strings.
    ///   - keepingDelivered: If `true`, delivered properties stay if the original doesn't have
    ///     them. Title, subtitle and body are always replaced.
    /// - Returns: The content.
    func replaced(
        by payload: [String: JSONValue], strings: (any StringTable)? = nil,
        keepingDelivered: Bool = false
    ) -> NotificationContent {
        var content = keepingDelivered ? self : NotificationContent()
        content.set(payload["aps"], strings)
        content.originalPayload = payload
        return content
    }

    /// Returns the content with a fallback's text, no category, and at most the default sound.
    package func fallback(_ text: String) -> NotificationContent {
        var content = self
        content.title = ""
        content.subtitle = ""
        content.body = text
        content.categoryIdentifier = ""
        content.sound = sound.map { _ in .normal(nil) }
        return content
    }

    private mutating func set(_ aps: JSONValue?, _ strings: (any StringTable)?) {
        let alert = aps?["alert"]
        title = Self.text(
            in: alert, .title, key: .titleLocKey, arguments: .titleLocArgs, strings: strings)
        subtitle = Self.text(
            in: alert, .subtitle, key: .subtitleLocKey, arguments: .subtitleLocArgs,
            strings: strings)
        // A bare string is the body.
        body =
            alert?.stringValue
            ?? Self.text(in: alert, .body, key: .locKey, arguments: .locArgs, strings: strings)
        badge = aps?["badge"]?.intValue ?? badge
        sound = aps?["sound"].flatMap(NotificationSound.init) ?? sound
        threadIdentifier = aps?["thread-id"]?.stringValue ?? threadIdentifier
        categoryIdentifier = aps?["category"]?.stringValue ?? categoryIdentifier
        targetContentIdentifier = aps?["target-content-id"]?.stringValue ?? targetContentIdentifier
        interruptionLevel =
            aps?["interruption-level"]?.stringValue.flatMap(InterruptionLevel.init)
            ?? interruptionLevel
        relevanceScore = aps?["relevance-score"]?.doubleValue ?? relevanceScore
        filterCriteria = aps?["filter-criteria"]?.stringValue ?? filterCriteria
        launchImageName = alert?["launch-image"]?.stringValue ?? launchImageName
    }

    /// Returns a line of an alert as the system displays it: the localized string if the table has
    /// its key, otherwise the plain text, otherwise the key.
    private static func text(
        in alert: JSONValue?, _ text: PayloadKey, key: PayloadKey, arguments: PayloadKey,
        strings: (any StringTable)?
    ) -> String {
        let name = alert?[key.rawValue]?.stringValue ?? ""
        if !name.isEmpty, let format = strings?.string(forKey: name), !format.isEmpty {
            let values = alert?[arguments.rawValue]?.arrayValue ?? []
            // Without arguments the system doesn't treat the string as a format, so "%%" stays.
            guard !values.isEmpty else { return format }
            return LocalizedFormat.text(format, arguments: values.map(argument))
        }
        let plain = alert?[text.rawValue]?.stringValue ?? ""
        return plain.isEmpty ? name : plain
    }

    /// Apple's table lists strings as arguments; integers are accepted too.
    private static func argument(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number):
            number.exactly(Int64.self).map { "\($0)" } ?? number.exactly(UInt64.self).map {
                "\($0)"
            } ?? ""
        default: ""
        }
    }
}

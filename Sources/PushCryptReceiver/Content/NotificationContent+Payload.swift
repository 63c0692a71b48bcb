internal import PushCryptCore
public import PushCryptPayload

extension NotificationContent {
    /// The content as the system makes it of a payload before any extension has seen it.
    ///
    /// - Parameters:
    ///   - payload: the members of the payload.
    ///   - strings: the app's string table, in which the system looks up loc-keys.
    public init(delivered payload: [String: JSONValue], strings: (any StringTable)? = nil) {
        self.init()
        replaceText(with: payload["aps"]?["alert"], strings)
        setProperties(from: payload["aps"])
    }

    /// The content with an original payload in the place of the placeholder.
    ///
    /// Title, subtitle and body are the original's, never mixed with the placeholder's; everything else is the
    /// original's where the original has it.
    ///
    /// - Parameters:
    ///   - payload: the members of the original payload.
    ///   - strings: the app's string table, in which loc-keys are looked up.
    ///   - keepingSealed: whether `userInfo` stays as it was delivered, so that no more plaintext rests on the device
    ///     than what is shown.
    /// - Returns: the content to show.
    public func replaced(
        by payload: [String: JSONValue], strings: (any StringTable)? = nil, keepingSealed: Bool = false
    ) -> NotificationContent {
        var content = self
        content.replaceText(with: payload["aps"]?["alert"], strings)
        content.setProperties(from: payload["aps"])
        if !keepingSealed {
            content.userInfo = .original(payload.filter { $0.key != Envelope.payloadKey })
        }
        return content
    }

    /// The content without the placeholder or any other text than the fallback's.
    func fallback(_ text: FallbackText) -> NotificationContent {
        var content = self
        content.title = ""
        content.subtitle = ""
        content.body = text.body
        content.attachments = []
        return content
    }

    private mutating func replaceText(with alert: JSONValue?, _ strings: (any StringTable)?) {
        title = AlertLine(.title, .titleLocKey, .titleLocArgs).text(in: alert, strings)
        subtitle = AlertLine(.subtitle, .subtitleLocKey, .subtitleLocArgs).text(in: alert, strings)
        // A bare string is the body.
        body = alert?.stringValue ?? AlertLine(.body, .locKey, .locArgs).text(in: alert, strings)
    }

    private mutating func setProperties(from aps: JSONValue?) {
        badge = aps?["badge"]?.intValue ?? badge
        sound = aps?["sound"].flatMap(NotificationSound.init) ?? sound
        threadIdentifier = aps?["thread-id"]?.stringValue ?? threadIdentifier
        categoryIdentifier = aps?["category"]?.stringValue ?? categoryIdentifier
        targetContentIdentifier = aps?["target-content-id"]?.stringValue ?? targetContentIdentifier
        interruptionLevel =
            aps?["interruption-level"]?.stringValue.flatMap(InterruptionLevel.init) ?? interruptionLevel
        relevanceScore = aps?["relevance-score"]?.doubleValue ?? relevanceScore
        filterCriteria = aps?["filter-criteria"]?.stringValue ?? filterCriteria
        launchImageName = aps?["alert"]?["launch-image"]?.stringValue ?? launchImageName
    }
}

extension NotificationContent {
    /// The content as the system makes it of a payload before any extension has seen it.
    ///
    /// - Parameter payload: the members of the payload.
    public init(delivered payload: [String: JSONValue]) {
        self.init()
        replaceText(with: payload["aps"]?["alert"])
        setProperties(from: payload["aps"])
    }

    /// The content with an original payload in the place of the placeholder.
    ///
    /// Title, subtitle and body are the original's, never mixed with the placeholder's; everything else is the
    /// original's where the original has it.
    ///
    /// - Parameters:
    ///   - payload: the members of the original payload.
    ///   - keepingSealed: whether `userInfo` stays as it was delivered, so that no more plaintext rests on the device
    ///     than what is shown.
    /// - Returns: the content to show.
    public func replaced(by payload: [String: JSONValue], keepingSealed: Bool = false) -> NotificationContent {
        var content = self
        content.replaceText(with: payload["aps"]?["alert"])
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

    private mutating func replaceText(with alert: JSONValue?) {
        // A bare string is the body. A key of the app's string table stands for itself until something looks it up, as it
        // does in the system where the table lacks it.
        title = Self.text("title", "title-loc-key", alert)
        subtitle = Self.text("subtitle", "subtitle-loc-key", alert)
        body = alert?.stringValue ?? Self.text("body", "loc-key", alert)
    }

    /// The first of two members that is a string with something in it.
    private static func text(_ name: String, _ key: String, _ alert: JSONValue?) -> String {
        let texts = [alert?[name]?.stringValue, alert?[key]?.stringValue]
        return texts.lazy.compactMap(\.self).first { !$0.isEmpty } ?? ""
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
